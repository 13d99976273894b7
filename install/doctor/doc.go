// Package doctor looks whether Jupyter and orthant would find each other and work together on this machine, and says what
// to do where they would not.
//
// It looks at the kernelspecs where Jupyter looks for them, starts what they name, and looks at folders, ports, front ends
// and settings. It changes nothing, but for a kernel that it starts and ends again.
//
//	report := doctor.Examine(ctx, doctor.Options{Version: version, Start: start, Limits: limits})
//	report.Write(os.Stdout, true)
//	if report.Wrong() > 0 {
//		os.Exit(1)
//	}
//
// A [Report] is a list of [Finding]: what was looked at, a state, a line for people, and where there is one the command
// that mends it, quoted for the user's shell. It knows package install only; how a kernel is started, what limits its cells and
// where its history is, is told to it.
package doctor
