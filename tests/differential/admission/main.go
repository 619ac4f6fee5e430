// Admits objects as the API server does, by its own code, to compare with.
//
// Usage: admission CRD.yaml... < objects.jsonl > verdicts.jsonl
//
//	admission --expressions < expressions.jsonl > values.jsonl
//
// Each line of the input is an object, each line of the output its verdict. Without input it prints what the API
// server would refuse of the CRDs themselves.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	schemaobjectmeta "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	metavalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

type version struct {
	schema     *structuralschema.Structural
	validator  validation.SchemaValidator
	rules      *cel.Validator
	namespaced bool
	hasStatus  bool
}

type fault struct {
	Path   string `json:"path"`
	Type   string `json:"type"`
	Detail string `json:"detail"`
}

type verdict struct {
	Known   bool     `json:"known"`
	Unknown []string `json:"unknown,omitempty"`
	Faults  []fault  `json:"faults,omitempty"`
	Stored  any      `json:"stored,omitempty"`
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--expressions" {
		expressions()
		return
	}
	versions := map[string]version{}
	refused := []string{}
	for _, file := range os.Args[1:] {
		text, err := os.ReadFile(file)
		check(err)
		for _, part := range bytes.Split(append([]byte("\n"), text...), []byte("\n---")) {
			refused = append(refused, definition(part, versions)...)
		}
	}
	reader := bufio.NewReaderSize(os.Stdin, 1<<20)
	writer := bufio.NewWriter(os.Stdout)
	defer writer.Flush()
	encoder := json.NewEncoder(writer)
	encoder.SetEscapeHTML(false)
	seen := false
	for {
		line, err := reader.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			seen = true
			check(encoder.Encode(admit(line, versions)))
		}
		if errors.Is(err, io.EOF) {
			break
		}
		check(err)
	}
	if !seen {
		for _, one := range refused {
			check(encoder.Encode(one))
		}
	}
}

// definition adds the versions of a CRD and returns what the API server would refuse of it.
func definition(text []byte, versions map[string]version) []string {
	var plain map[string]any
	check(yaml.Unmarshal(text, &plain))
	if plain["kind"] != "CustomResourceDefinition" {
		return nil
	}
	scheme := runtime.NewScheme()
	install.Install(scheme)
	given := &v1.CustomResourceDefinition{}
	if err := yaml.Unmarshal(text, given); err != nil {
		return []string{err.Error()}
	}
	scheme.Default(given)
	internal := &apiextensions.CustomResourceDefinition{}
	check(scheme.Convert(given, internal, nil))
	internal.Status.StoredVersions = []string{}
	out := []string{}
	for _, err := range crdvalidation.ValidateCustomResourceDefinition(context.TODO(), internal) {
		if err.Field != "status.storedVersions" {
			out = append(out, fmt.Sprintf("%s: %s", given.Name, err.Error()))
		}
	}
	for _, one := range given.Spec.Versions {
		if !one.Served {
			continue
		}
		props := &apiextensions.JSONSchemaProps{}
		check(v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(one.Schema.OpenAPIV3Schema, props, nil))
		structural, err := structuralschema.NewStructural(props)
		if err != nil {
			return append(out, fmt.Sprintf("%s: %v", given.Name, err))
		}
		check(defaulting.PruneDefaults(structural))
		validator, _, err := validation.NewSchemaValidator(props)
		check(err)
		versions[given.Spec.Group+"/"+one.Name+"/"+given.Spec.Names.Kind] = version{
			schema:     structural,
			validator:  validator,
			rules:      cel.NewValidator(structural, true, celconfig.PerCallLimit),
			namespaced: given.Spec.Scope == v1.NamespaceScoped,
			hasStatus:  one.Subresources != nil && one.Subresources.Status != nil,
		}
	}
	return out
}

// admit does what the handler of custom resources does on create: decode, prune, default, validate.
func admit(text []byte, versions map[string]version) verdict {
	var plain any
	check(utiljson.Unmarshal(text, &plain))
	object, isObject := plain.(map[string]any)
	if !isObject {
		return verdict{}
	}
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	by, isKnown := versions[apiVersion+"/"+kind]
	if !isKnown {
		return verdict{}
	}
	out := verdict{Known: true}
	meta, found, unknown, err := schemaobjectmeta.GetObjectMetaWithOptions(
		object, schemaobjectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		out.Faults = append(out.Faults, fault{"metadata", "decode", err.Error()})
		return out
	}
	out.Unknown = append(out.Unknown, unknown...)
	options := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	out.Unknown = append(out.Unknown, pruning.PruneWithOptions(object, by.schema, true, options)...)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, by.schema)
	refused, more := schemaobjectmeta.CoerceWithOptions(
		nil, object, by.schema, false, schemaobjectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	if refused != nil {
		out.Faults = append(out.Faults, fault{refused.Field, string(refused.Type), refused.Detail})
		return out
	}
	out.Unknown = append(out.Unknown, more...)
	if found {
		check(schemaobjectmeta.SetObjectMeta(object, meta))
	}
	defaulting.Default(object, by.schema)
	if by.hasStatus {
		delete(object, "status")
	}
	list := field.ErrorList{}
	accessor := &unstructured.Unstructured{Object: object}
	if by.namespaced && accessor.GetNamespace() == "" {
		accessor.SetNamespace("default")
	}
	if accessor.GetName() == "" && accessor.GetGenerateName() != "" {
		accessor.SetName(accessor.GetGenerateName() + "xxxxx")
	}
	list = append(list, metavalidation.ValidateObjectMetaAccessor(
		accessor, by.namespaced, metavalidation.NameIsDNSSubdomain, field.NewPath("metadata"))...)
	list = append(list, validation.ValidateCustomResource(nil, object, by.validator)...)
	list = append(list, schemaobjectmeta.Validate(nil, object, by.schema, false)...)
	list = append(list, listtype.ValidateListSetsAndMaps(nil, by.schema, object)...)
	if by.rules != nil && !blocks(list) {
		found, _ := by.rules.Validate(
			context.TODO(), nil, by.schema, object, nil, celconfig.RuntimeCELCostBudget)
		list = append(list, found...)
	}
	for _, one := range list {
		out.Faults = append(out.Faults, fault{one.Field, string(one.Type), one.Detail})
	}
	if len(list) == 0 {
		delete(object, "metadata")
		out.Stored = object
	}
	return out
}

// blocks returns whether rules are not evaluated.
func blocks(list field.ErrorList) bool {
	for _, one := range list {
		switch one.Type {
		case field.ErrorTypeNotSupported, field.ErrorTypeRequired, field.ErrorTypeTooLong, field.ErrorTypeTooMany,
			field.ErrorTypeTypeInvalid:
			return true
		}
	}
	return false
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
}
