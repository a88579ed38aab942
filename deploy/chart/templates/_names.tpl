{{- define "bellhop.labels" -}}
app.kubernetes.io/name: bellhop
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
