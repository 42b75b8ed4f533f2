package simtest

import (
	"bytes"
	"reflect"
	"strconv"
	"strings"
	"unsafe"

	"reprise/sim"
)

func (k *kit) walk(t T) {
	t.Helper()
	f := &failures{t, 12}
	lists := map[string]bool{} // whether the list or pointer of a path held anything
	for _, p := range k.Probes {
		w, err := k.at(p)
		if err != nil {
			t.Errorf("%v", err)
			return
		}
		v := reflect.ValueOf(w)
		if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
			t.Errorf("the world is a %s, not a pointer to a struct", v.Type())
			return
		}
		wk := &walker{k: k, f: f, w: w, tick: p, lists: lists}
		wk.base = look(w)
		wk.visit(v.Elem(), "world", 0)
		if w.Hash() != wk.base.hash || !bytes.Equal(w.AppendState(nil), wk.base.state) {
			f.Errorf("tick %d: variables set back do not give the old state and hash", p)
		}
	}
	for path, held := range lists {
		if !held {
			f.Errorf("%s held nothing in any of the probed states %v: its variables are untested", path, k.Probes)
		}
	}
}

// A walker alters the variables of one world, one at a time.
type walker struct {
	k     *kit
	f     *failures
	w     sim.World
	tick  int
	base  view
	lists map[string]bool
}

// A view is all that a world shows of its variables.
type view struct {
	hash  uint64
	state []byte
	bits  []uint64 // of the Fields
}

func look(w sim.World) view {
	v := view{hash: w.Hash(), state: w.AppendState(nil)}
	for _, f := range w.Fields() {
		v.bits = append(v.bits, f.Bits())
	}
	return v
}

// A chain of pointers longer than this is taken for a ring.
const maxDepth = 40

// visit alters every variable in v, which is addressable and settable. In the
// keys of lists every index is an asterisk.
func (wk *walker) visit(v reflect.Value, path string, depth int) {
	if depth > maxDepth {
		wk.f.Errorf("%s: too deep; tag one of its pointers", path)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			wk.field(v, i, path, depth)
		}
	case reflect.Array:
		wk.elements(v, v.Len(), path, depth)
	case reflect.Slice:
		wk.elements(v, v.Len(), path, depth)
		wk.cut(v, path)
	case reflect.Pointer:
		wk.held(path, !v.IsNil())
		if !v.IsNil() {
			wk.visit(v.Elem(), path, depth+1)
		}
	case reflect.Bool:
		wk.alter(v, path, func() { v.SetBool(!v.Bool()) })
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		wk.alter(v, path, func() { v.SetInt(v.Int() ^ 1) })
		wk.alter(v, path, func() { v.SetInt(v.Int() ^ -1<<(v.Type().Bits()-1)) })
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		wk.alter(v, path, func() { v.SetUint(v.Uint() ^ 1) })
		wk.alter(v, path, func() { v.SetUint(v.Uint() ^ 1<<(v.Type().Bits()-1)) })
	case reflect.Float32:
		p := (*uint32)(v.Addr().UnsafePointer())
		wk.alter(v, path, func() { *p ^= 1 })
		wk.alter(v, path, func() { *p ^= 1 << 31 })
	case reflect.Float64:
		p := (*uint64)(v.Addr().UnsafePointer())
		wk.alter(v, path, func() { *p ^= 1 })
		wk.alter(v, path, func() { *p ^= 1 << 63 })
	case reflect.String:
		wk.alter(v, path, func() { v.SetString(v.String() + "x") })
	default:
		wk.f.Errorf(`%s is a %s: it needs a tag sim:"derived" or sim:"fixed"`, path, v.Type())
	}
}

// field visits one field of a struct as its tag says.
func (wk *walker) field(v reflect.Value, i int, path string, depth int) {
	sf, fv := v.Type().Field(i), v.Field(i)
	if sf.Name == "_" {
		return
	}
	path += "." + sf.Name
	// Unexported fields cannot be set but through their address.
	fv = reflect.NewAt(fv.Type(), unsafe.Pointer(fv.UnsafeAddr())).Elem()
	tag, tagged := sf.Tag.Lookup("sim")
	count, live := strings.CutPrefix(tag, "live=")
	switch {
	case !tagged:
		wk.visit(fv, path, depth)
	case tag == "derived" || tag == "fixed":
	case live && (fv.Kind() == reflect.Array || fv.Kind() == reflect.Slice):
		n := v.FieldByName(count)
		switch {
		case n.IsValid() && n.CanInt():
			wk.elements(fv, int(min(n.Int(), int64(fv.Len()))), path, depth)
		case n.IsValid() && n.CanUint():
			wk.elements(fv, int(min(n.Uint(), uint64(fv.Len()))), path, depth)
		default:
			wk.f.Errorf("%s: no integer field %q beside it", path, count)
		}
	default:
		wk.f.Errorf("%s: unknown tag sim:%q", path, tag)
	}
}

// elements visits the first n elements of an array or slice.
func (wk *walker) elements(v reflect.Value, n int, path string, depth int) {
	if v.Kind() == reflect.Slice || n < v.Len() {
		wk.held(path, n > 0)
	}
	spread(n, wk.k.Elements, func(i int) {
		wk.visit(v.Index(i), path+"["+strconv.Itoa(i)+"]", depth+1)
	})
}

func (wk *walker) held(path string, any bool) {
	var b strings.Builder
	for i, part := range strings.Split(path, "[") {
		if i > 0 {
			b.WriteString("[*")
			part = strings.TrimLeft(part, "0123456789")
		}
		b.WriteString(part)
	}
	wk.lists[b.String()] = wk.lists[b.String()] || any
}

// cut shortens a slice by one element, also where that element is zero and only
// the length can tell.
func (wk *walker) cut(v reflect.Value, path string) {
	n := v.Len() - 1
	if n < 0 {
		return
	}
	wk.alter(v, path+" cut by its last element", func() { v.SetLen(n) })
	last, old, base := v.Index(n), reflect.New(v.Type().Elem()).Elem(), wk.base
	old.Set(last)
	last.SetZero()
	if !noticed(func() bool { edited(wk.w); wk.base = look(wk.w); return false }) {
		wk.alter(v, path+" cut by a last element of zero", func() { v.SetLen(n) })
	}
	last.Set(old)
	edited(wk.w)
	wk.base = base
}

// alter changes one variable by change, wants everything to show it, and puts
// the old value back.
func (wk *walker) alter(v reflect.Value, path string, change func()) {
	old := reflect.New(v.Type()).Elem()
	old.Set(v)
	change()
	noticed(func() bool { edited(wk.w); return true })
	var missing []string
	if !noticed(func() bool { return !bytes.Equal(wk.w.AppendState(nil), wk.base.state) }) {
		missing = append(missing, "AppendState")
	}
	if !noticed(func() bool { return wk.w.Hash() != wk.base.hash }) {
		missing = append(missing, "Hash")
	}
	if !noticed(wk.fieldsDiffer) {
		missing = append(missing, "Fields")
	}
	v.Set(old)
	noticed(func() bool { edited(wk.w); return true }) // another may still be odd
	if missing != nil {
		wk.f.Errorf("tick %d: %s changed: no difference in %s (a forgotten variable, or one to be tagged)",
			wk.tick, path, strings.Join(missing, ", "))
	}
}

func (wk *walker) fieldsDiffer() bool {
	i := 0
	for _, v := range wk.w.Fields() {
		if i == len(wk.base.bits) || v.Bits() != wk.base.bits[i] {
			return true
		}
		i++
	}
	return i != len(wk.base.bits)
}
