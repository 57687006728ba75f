package guest

import (
	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/guest/image"
)

// snapshot is what initialisation left: the whole state of a rewindable
// module's instance. Every instance is put back to it after its event.
type snapshot struct {
	image   *image.Image // nil for a module without memory
	names   []string     // of the mutable globals
	globals []uint64
}

// newMemory is where an instance's memory is: for the first one, which the
// snapshot is taken of, in Go's memory.
func (p *Program) newMemory(max uint64) (*image.Memory, error) {
	if p.snapshot != nil {
		return p.snapshot.image.NewMemory(max)
	}
	blank, err := image.New(nil, image.Copy)
	if err != nil {
		return nil, err
	}
	return blank.NewMemory(max)
}

// capture takes the snapshot of an instance that was just made.
func (p *Program) capture(in *instance) (*snapshot, error) {
	s := &snapshot{}
	for _, g := range p.code.globals {
		s.names = append(s.names, g)
		s.globals = append(s.globals, in.module.ExportedGlobal(g).Get())
	}
	if in.memory == nil {
		return s, nil
	}
	mem := in.module.Memory()
	bytes, _ := mem.Read(0, mem.Size())
	var err error
	s.image, err = image.New(bytes, p.config.rewinding)
	return s, err
}

// adopt makes a new instance one that can be rewound, in the snapshot's state.
func (s *snapshot) adopt(in *instance) error {
	for _, name := range s.names {
		in.globals = append(in.globals, in.module.ExportedGlobal(name).(api.MutableGlobal))
	}
	if in.memory != nil {
		if err := in.memory.Adopt(s.image, in.module.Memory()); err != nil {
			return err
		}
	}
	s.setGlobals(in)
	return nil
}

// rewind puts an instance back. It fails for one that is to be thrown away.
func (s *snapshot) rewind(in *instance) error {
	if in.memory != nil {
		if err := in.memory.Rewind(s.image, in.module.Memory()); err != nil {
			return err
		}
	}
	s.setGlobals(in)
	return nil
}

func (s *snapshot) setGlobals(in *instance) {
	for i, g := range in.globals {
		g.Set(s.globals[i])
	}
}

func (s *snapshot) close() error {
	if s == nil || s.image == nil {
		return nil
	}
	return s.image.Close()
}
