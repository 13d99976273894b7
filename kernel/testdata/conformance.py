"""What jupyter_kernel_test knows to test, on cells of Go. The kernel is the installed kernelspec orthant."""

import unittest

import jupyter_kernel_test


class Conformance(jupyter_kernel_test.KernelTests):
    kernel_name = "orthant"
    language_name = "go"
    file_extension = ".go"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # The tests allow 0.1 s between two messages, which a busy machine does not keep.
        cls.impatient = cls.kc.iopub_channel.get_msg
        cls.kc.iopub_channel.get_msg = cls.patient

    @classmethod
    def patient(cls, timeout):
        return cls.impatient(timeout=max(timeout, 15))

    def flush_channels(self):
        self.kc.iopub_channel.get_msg = self.impatient
        super().flush_channels()
        self.kc.iopub_channel.get_msg = self.patient

    code_hello_world = 'fmt.Println("hello, world")'
    code_stderr = 'import "os"\n\nfmt.Fprintln(os.Stderr, "to stderr")'

    completion_samples = [
        {"text": "fmt.Prin", "matches": {"Print", "Printf", "Println"}},
        {"text": "a := fmt.Sprintl", "matches": {"Sprintln"}},
        {"text": "é := fmt.Sprintl", "matches": {"Sprintln"}},
        {"text": "mat.NewSymD", "matches": {"NewSymDense"}},
    ]

    complete_code_samples = [
        "",
        "1 + 1",
        "x := 1",
        'fmt.Println("a")',
        "func f() int { return 1 }",
        "for i := range 3 {\n\tfmt.Println(i)\n}",
        "type T struct {\n\tA int\n}",
    ]
    incomplete_code_samples = [
        "func f() int {",
        "for i := range 3 {\n\tfmt.Println(i)",
        "x := (1 +",
        "fmt.Println(",
        "s := `raw",
        "/* comment",
    ]
    invalid_code_samples = ["}", "x := )", "1 = = 2"]

    code_generate_error = 'panic("on purpose")'

    code_execute_result = [
        {"code": "6*7", "result": "42"},
        {"code": '"orth" + "ant"', "result": "orthant"},
        {"code": "[]float64{0.5, 1}", "result": "[0.5 1]"},
        {"code": 'display.HTML("<b>bold</b>")', "mime": "text/html", "result": "<b>bold</b>"},
    ]
    code_display_data = [
        {"code": "display.Show(1)", "mime": "text/plain"},
        {"code": 'display.Show(display.HTML("<b>bold</b>"))', "mime": "text/html"},
        {"code": 'import "gonum.org/v1/plot"\n\ndisplay.Show(plot.New())', "mime": "image/png"},
    ]

    code_history_pattern = "6?7"
    supported_history_operations = ("tail", "range", "search")

    code_page_something = 'display.Page("a page")'

    code_inspect_sample = "fmt.Println"
    code_clear_output = "display.Clear(false)"


class Welcome(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = "orthant"
    support_iopub_welcome = True


if __name__ == "__main__":
    unittest.main()
