//go:build !windows

package kernel

import (
	"errors"
	"slices"
	"syscall"
	"time"

	"github.com/shirou/gopsutil/v4/process"
)

// adoptChildren does nothing: the processes that cells start are found when they are to end.
func adoptChildren() error { return nil }

// A processEntry is one of the system's list of processes.
type processEntry struct{ id, parent, group int }

// How long processes may take to end when they are asked to, and how often they are looked for.
const (
	childEndTime = 150 * time.Millisecond
	childPoll    = 10 * time.Millisecond
)

// endChildren ends the processes that cells have started and left running, and those that these have started: it asks them to
// and, what has not ended a moment later, kills them. They are the rest of our process group where we lead it, as managers start
// kernels, and else our descendants in it, as the group is then a shell's or a launcher's. What a cell has put into a group of
// its own goes on.
func endChildren() error {
	left, err := offspring()
	if err != nil || len(left) == 0 {
		return err
	}
	errs := []error{signalAll(left, syscall.SIGTERM)}
	for deadline := time.Now().Add(childEndTime); time.Now().Before(deadline); time.Sleep(childPoll) {
		if left, err = offspring(); err != nil || len(left) == 0 {
			return errors.Join(append(errs, err)...)
		}
	}
	return errors.Join(append(errs, signalAll(left, syscall.SIGKILL))...)
}

func signalAll(list []int, s syscall.Signal) error {
	var errs []error
	for _, id := range list {
		if err := syscall.Kill(id, s); err != nil && !errors.Is(err, syscall.ESRCH) { // it may have ended meanwhile
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// offspring returns the ids of the processes that endChildren is to end.
func offspring() ([]int, error) {
	list, err := processList()
	if err != nil {
		return nil, err
	}
	return offspringOf(syscall.Getpid(), syscall.Getpgrp(), list), nil
}

// processList returns the system's processes, but for those that have ended and are only not waited for, and those of which it
// tells us nothing.
func processList() ([]processEntry, error) {
	all, err := process.Processes()
	if err != nil {
		return nil, err
	}
	var list []processEntry
	for _, p := range all {
		group, errGroup := syscall.Getpgid(int(p.Pid))
		parent, errParent := p.Ppid()
		status, errStatus := p.Status()
		if errors.Join(errGroup, errParent, errStatus) != nil || slices.Contains(status, process.Zombie) {
			continue // an error says that it has ended meanwhile, or that it is not ours to know
		}
		list = append(list, processEntry{int(p.Pid), int(parent), group})
	}
	return list, nil
}

// offspringOf returns the processes of a list that a process and its group have to answer for.
func offspringOf(own, group int, list []processEntry) []int {
	parents := map[int]int{}
	for _, p := range list {
		parents[p.id] = p.parent
	}
	descends := func(id int) bool {
		for range list { // a list that is not of one moment may have circles
			if id = parents[id]; id == own {
				return true
			}
		}
		return false
	}
	var out []int
	for _, p := range list {
		if p.id != own && p.group == group && (own == group || descends(p.id)) {
			out = append(out, p.id)
		}
	}
	return out
}
