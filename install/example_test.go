package install_test

import (
	"fmt"
	"log"

	"orthant/install"
)

// No output is compared: the folder depends on the machine.
func ExampleInstall() {
	spec, err := install.Install(install.Options{Name: "mylab", SysPrefix: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(spec.Dir)
}

func ExampleUninstall() {
	dir, err := install.Uninstall(install.Options{Name: "mylab", SysPrefix: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("removed", dir)
}
