// Prints the objects of a Helm chart, and then its notes, for {"folder", "values", "release"} on standard input. Go's templates with sprig and the three
// functions that Helm adds are what Helm itself uses; Debian has no Helm.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type input struct {
	Folder  string
	Values  map[string]any
	Release string
}

func main() {
	var in input
	check(json.NewDecoder(os.Stdin).Decode(&in))
	var chart map[string]any
	text, err := os.ReadFile(filepath.Join(in.Folder, "Chart.yaml"))
	check(err)
	check(yaml.Unmarshal(text, &chart))
	data := map[string]any{
		"Values":  in.Values,
		"Chart":   map[string]any{"Name": chart["name"], "Version": chart["version"], "AppVersion": chart["appVersion"]},
		"Release": map[string]any{"Name": in.Release, "Namespace": "catalog", "Service": "Helm"},
	}
	templates := template.New("chart").Option("missingkey=zero").Funcs(sprig.TxtFuncMap())
	templates.Funcs(template.FuncMap{
		"include": func(name string, data any) string { return render(templates, name, data) },
		"required": func(message string, value any) (any, error) {
			if value == nil || value == "" {
				return nil, errors.New(message)
			}
			return value, nil
		},
		"toYaml": func(value any) (string, error) {
			text, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(text), "\n"), err
		},
	})
	files, err := filepath.Glob(filepath.Join(in.Folder, "templates", "*"))
	check(err)
	_, err = templates.ParseFiles(files...)
	check(err)
	for _, file := range files {
		if filepath.Ext(file) == ".yaml" {
			fmt.Printf("---\n%s", render(templates, filepath.Base(file), data))
		}
	}
	fmt.Printf("---\n%s", render(templates, "NOTES.txt", data))
}

func render(templates *template.Template, name string, data any) string {
	var out bytes.Buffer
	check(templates.ExecuteTemplate(&out, name, data))
	return out.String()
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
