package save

import "errors"

// Explain says in one sentence for a person what went wrong with a save.
func Explain(err error) string {
	if r, ok := errors.AsType[*RejectedError](err); ok {
		return explainRejected(r)
	}
	if v, ok := errors.AsType[*VersionError](err); ok {
		if v.Newer() {
			return "It was saved by a newer version of this program."
		}
		return "It was saved by an older version of this program, which this one cannot read."
	}
	if f, ok := errors.AsType[*FormatError](err); ok {
		switch f.Kind() {
		case "magic":
			return "It is not a saved file."
		case "format":
			return "It was saved by another version of this program."
		case "limit":
			return "It is larger than allowed."
		}
		return "It is damaged."
	}
	if i, ok := errors.AsType[*InfoError](err); ok {
		return "The " + i.Field + " cannot be saved: " + i.Cause + "."
	}
	for _, e := range [...]struct {
		err  error
		says string
	}{
		{ErrFull, "The storage is full. Export what you want to keep, and delete what you do not need."},
		{ErrReadOnly, "Another window of this game saves at present. You can take over here."},
		{ErrLocked, "Another process has these saves open."},
		{ErrNotFound, "It is no longer there: the storage may have been cleared."},
		{ErrClosed, "The storage was closed by the browser or by another window."},
		{ErrNewer, "A newer version of this game has saved here; this one leaves it alone. Reload the page to get the newer one."},
		{ErrMissing, "This browser keeps nothing for this page."},
		{ErrExists, "There is something of that name already."},
		{ErrLimit, "It is larger than allowed."},
		{ErrKey, "It has a name that the storage does not take."},
	} {
		if errors.Is(err, e.err) {
			return e.says
		}
	}
	return "The storage did not take it: " + err.Error() + "."
}

func explainRejected(r *RejectedError) string {
	s := "The saved value of " + r.Slot + " cannot be used. " + explainReason(r.Err)
	if r.Aside != "" {
		return s + " It is kept among the rejected items, where you can export or delete it."
	}
	return s + " It stays where it is."
}

func explainReason(err error) string {
	_, version := errors.AsType[*VersionError](err)
	_, format := errors.AsType[*FormatError](err)
	_, kind := errors.AsType[*KindError](err)
	switch {
	case version, format, errors.Is(err, ErrLimit):
		return Explain(err)
	case kind:
		return "It holds something else."
	}
	return "This version of the game cannot read it."
}
