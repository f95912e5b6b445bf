{{- define "tablinum.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 }}{{ end -}}
{{- end }}

{{- define "tablinum.labels" -}}
{{ include "tablinum.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "tablinum.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* These two are included with the component: web, worker or migration. */}}
{{- define "tablinum.podSpec" -}}
automountServiceAccountToken: false
terminationGracePeriodSeconds: 30
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
volumes:
  - name: data
    emptyDir: {}
  - name: tmp
    emptyDir: {}
{{- if and .Values.backups.existingClaim (eq .component "worker") }}
  - name: backups
    persistentVolumeClaim:
      claimName: {{ .Values.backups.existingClaim }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "tablinum.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
  {{- if and .Values.backups.existingClaim (eq .component "worker") }}
  - name: backups
    mountPath: /backups
  {{- end }}
env:
  {{- if .Values.backups.existingClaim }}
  - name: TABLINUM_BACKUPS
    value: /backups
  {{- end }}
  - name: DATABASE_URL
    valueFrom:
      secretKeyRef: { name: {{ .Values.existingSecret }}, key: database-url }
  - name: TABLINUM_SECRET_KEY
    valueFrom:
      secretKeyRef: { name: {{ .Values.existingSecret }}, key: secret-key }
  - name: TABLINUM_ADMIN_TOKEN
    valueFrom:
      secretKeyRef: { name: {{ .Values.existingSecret }}, key: admin-token, optional: true }
  - name: TABLINUM_METRICS_TOKEN
    valueFrom:
      secretKeyRef: { name: {{ .Values.existingSecret }}, key: metrics-token, optional: true }
  - name: TABLINUM_METRICS_PORT
    value: "3000"
  {{- with .Values.publicUrl }}
  - name: PUBLIC_URL
    value: {{ . | quote }}
  {{- end }}
  {{- range $name, $value := .Values.env }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
  {{- with .Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "tablinum.probes" -}}
ports:
  - name: http
    containerPort: 3000
startupProbe:
  httpGet: { path: /healthcheck, port: http }
  periodSeconds: 2
  failureThreshold: 150
livenessProbe:
  httpGet: { path: /healthcheck, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
readinessProbe:
  httpGet: { path: /readycheck, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
{{- end }}
