// Prints the fields of the pod template and of all structs inside it as one
// line of JSON, with their tags for encoding/json and for the strategic merge
// patch. The Python package in this folder runs it.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// field is one JSON member of a struct, in the order in which it is written.
type field struct {
	Name     string `json:"name"`
	Shape    string `json:"shape"` // one, list or map (with string keys)
	Kind     string `json:"kind"`  // of the value, or of the elements
	Pointer  bool   `json:"pointer"`
	Always   bool   `json:"always"` // written even when it holds nothing
	Strategy string `json:"strategy"`
	MergeKey string `json:"mergeKey"`
}

// table holds the fields of each struct by the struct's name.
type table map[string][]field

func main() {
	structs := table{}
	structs.add(reflect.TypeFor[corev1.PodTemplateSpec]())
	if err := json.NewEncoder(os.Stdout).Encode(structs); err != nil {
		fail("%v", err)
	}
}

func fail(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", arguments...)
	os.Exit(1)
}

// add adds t and every struct inside it to the table.
func (structs table) add(t reflect.Type) {
	if _, known := structs[t.Name()]; known {
		return
	}
	structs[t.Name()] = []field{} // registered first, because a type may contain itself
	fields := structs.members(t)
	names := map[string]bool{}
	for _, f := range fields {
		if names[f.Name] {
			fail("%s has two fields %s", t, f.Name)
		}
		names[f.Name] = true
	}
	structs[t.Name()] = fields
}

// members returns the fields of t, with those of an embedded struct in its place.
func (structs table) members(t reflect.Type) []field {
	fields := []field{}
	for i := range t.NumField() {
		member := t.Field(i)
		name, options, _ := strings.Cut(member.Tag.Get("json"), ",")
		switch {
		case name == "-" && options == "":
		case member.Anonymous && name == "" && member.Type.Kind() == reflect.Struct:
			fields = append(fields, structs.members(member.Type)...)
		case member.IsExported():
			if name == "" {
				name = member.Name
			}
			fields = append(fields, structs.member(name, strings.Split(options, ","), member))
		}
	}
	return fields
}

func (structs table) member(name string, options []string, member reflect.StructField) field {
	if slices.Contains(options, "string") {
		fail("%s is quoted", name)
	}
	described := field{
		Name:     name,
		Shape:    "one",
		Strategy: member.Tag.Get("patchStrategy"),
		MergeKey: member.Tag.Get("patchMergeKey"),
	}
	t := member.Type
	switch t.Kind() {
	case reflect.Pointer:
		described.Pointer = true
		t = t.Elem()
	case reflect.Slice:
		described.Shape = "list"
		t = t.Elem()
	case reflect.Map:
		described.Shape = "map"
		if t.Key().Kind() != reflect.String {
			fail("%s: keys of %s", name, t)
		}
		t = t.Elem()
	}
	// omitempty only omits empty values, and a struct is never empty.
	isStruct := described.Shape == "one" && !described.Pointer && t.Kind() == reflect.Struct
	omitted := slices.Contains(options, "omitempty") && !isStruct || slices.Contains(options, "omitzero")
	described.Always = !omitted
	described.Kind = structs.kind(name, t)
	return described
}

func (structs table) kind(name string, t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct:
		structs.add(t)
		return t.Name()
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64:
		return t.Kind().String()
	}
	fail("%s: %s is of a kind that the table has no word for", name, t)
	return ""
}
