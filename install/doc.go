// Package install makes the running executable known to Jupyter, and takes that back.
//
// [Install] writes a kernelspec, which is a folder with a kernel.json and logos, below the user's Jupyter data folder or
// below a prefix. kernel.json names the executable by its absolute path, because the Jupyter server's PATH is not the
// user's. [Uninstall] removes the folder if it is ours.
//
//	spec, err := install.Install(install.Options{})
//	fmt.Println(spec.Dir) // ~/.local/share/jupyter/kernels/orthant on Linux
//
// [Places] says where Jupyter looks, and [Find] what is there of ours; package doctor judges it.
//
// # Where the executable stays
//
// An executable that go run or go test has built lies in the build cache or in a temporary folder and will be gone one
// day. Install copies such a one into the kernelspec's folder and names the copy. That place is right for every operating
// system and every prefix: it is there whenever the kernelspec is, a prefix that is moved or mounted elsewhere holds both
// or neither, two names may stand for two builds, and removing the kernelspec, with Uninstall or with Jupyter's own
// command, leaves nothing behind. An executable that lies anywhere else stays where it is, so that a kernel follows its
// upgrades.
//
// Where Jupyter looks: https://docs.jupyter.org/en/latest/use/jupyter-directories.html.
// What it expects to find: https://jupyter-client.readthedocs.io/en/stable/kernels.html#kernel-specs.
package install

//go:generate go run ./internal/logo
