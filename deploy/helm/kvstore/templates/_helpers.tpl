{{- define "kvstore.name" -}}
{{- if contains "kvstore" .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-kvstore" .Release.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "kvstore.labels" -}}
app.kubernetes.io/part-of: kvstore
app.kubernetes.io/version: {{ include "kvstore.label" .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ include "kvstore.label" (printf "%s-%s" .Chart.Name .Chart.Version) }}
{{- end }}

{{/* Of one component: (list $ "data-plane") */}}
{{- define "kvstore.selector" -}}
app.kubernetes.io/name: kvstore-{{ index . 1 }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
{{- end }}

{{- define "kvstore.image" -}}
{{- $root := index . 0 -}}
{{- if eq $root.Values.images.tag "latest" }}{{ fail "images.tag: give a version; latest is another image tomorrow, and pods of one release would differ" }}{{ end -}}
{{ $root.Values.images.repository }}/{{ index . 1 }}:{{ $root.Values.images.tag | default $root.Chart.AppVersion }}
{{- end }}

{{- define "kvstore.host" -}}
{{ include "kvstore.name" (index . 0) }}-{{ index . 1 }}.{{ (index . 0).Release.Namespace }}.svc.{{ (index . 0).Values.clusterDomain }}
{{- end }}

{{/* A quantity in MiB. */}}
{{- define "kvstore.mib" -}}
{{- if hasSuffix "Gi" . }}{{ mul (trimSuffix "Gi" . | int64) 1024 }}{{ else if hasSuffix "Mi" . }}{{ trimSuffix "Mi" . | int64 }}{{ else if eq . "0" }}0{{ else }}{{ fail (printf "%s: give Mi or Gi" .) }}{{ end }}
{{- end }}

{{/* What is left for the memory tier, in MiB: docs/operations/kubernetes.md has the arithmetic. */}}
{{- define "kvstore.memoryTier" -}}
{{- $d := .Values.dataPlane -}}
{{- $limit := include "kvstore.mib" $d.memory | int64 -}}
{{- $uncounted := max 320 (div $limit 8) -}}
{{- $others := add (include "kvstore.mib" $d.heap | int64) (include "kvstore.mib" $d.transferMemory | int64) (include "kvstore.mib" $d.inboundMemory | int64) (include "kvstore.mib" $d.unreadResponseMemory | int64) $uncounted -}}
{{- $left := sub $limit $others -}}
{{- if lt (include "kvstore.mib" $d.heap | int64) (add 512 (include "kvstore.mib" $d.inboundMemory | int64)) }}{{ fail (printf "dataPlane.heap: %s is less than inboundMemory (%s) and 512Mi" $d.heap $d.inboundMemory) }}{{ end -}}
{{- if $d.memoryTier -}}
{{- $tier := include "kvstore.mib" $d.memoryTier | int64 -}}
{{- if gt $tier $left }}{{ fail (printf "dataPlane.memoryTier: %s does not fit: of memory %s, heap, transferMemory, inboundMemory, unreadResponseMemory and an eighth (320Mi at least) leave %dMi" $d.memoryTier $d.memory $left) }}{{ end -}}
{{- $tier -}}
{{- else -}}
{{- if lt $left 64 }}{{ fail (printf "dataPlane.memory: %s is too little: heap, transferMemory, inboundMemory, unreadResponseMemory and an eighth (320Mi at least) leave %dMi for the memory tier; 64Mi is the least" $d.memory $left) }}{{ end -}}
{{- $left -}}
{{- end -}}
{{- end }}

{{- define "kvstore.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "kvstore.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end }}

{{- define "kvstore.secrets" -}}{{ include "kvstore.name" . }}-generated{{- end }}

{{- define "kvstore.tlsSecret" -}}
{{- $v := (index . 0).Values.tls -}}
{{- if eq $v.mode "secret" -}}
{{- if eq (index . 1) "control-plane" }}{{ required "tls.controlPlaneSecret: give it with tls.mode secret" $v.controlPlaneSecret }}{{ else }}{{ required "tls.dataPlaneSecret: give it with tls.mode secret" $v.dataPlaneSecret }}{{ end -}}
{{- else -}}
{{ include "kvstore.name" (index . 0) }}-{{ index . 1 }}-tls
{{- end -}}
{{- end }}

{{/* Where others look data planes up. */}}
{{- define "kvstore.dataPlaneDomain" -}}
{{ .Values.dataPlane.domain | default (include "kvstore.host" (list . "data-plane")) }}
{{- end }}

{{/* The names that a certificate is for, one a line. */}}
{{- define "kvstore.dnsNames" -}}
{{- $root := index . 0 -}}
{{- $service := printf "%s-%s" (include "kvstore.name" $root) (index . 1) -}}
{{- $full := printf "%s.%s.svc" $service $root.Release.Namespace -}}
- {{ $service }}
- {{ $service }}.{{ $root.Release.Namespace }}
- {{ $full }}
- {{ $full }}.{{ $root.Values.clusterDomain }}
{{- if eq (index . 1) "data-plane" }}
- "*.{{ $full }}"
- "*.{{ $full }}.{{ $root.Values.clusterDomain }}"
{{- with $root.Values.dataPlane.domain }}
- "*.{{ . }}"
{{- end }}
{{- end }}
{{- $host := regexReplaceAll ":[0-9]+$" $root.Values.loadBalancer.advertisedAddress "" }}
{{- if and $host (ne (index . 1) "postgresql") (not (regexMatch "^[0-9.]+$" $host)) }}
- {{ $host }}
{{- end }}
{{- end }}

{{- /* A version may have build metadata, as Flux adds it; a label has no +, and 63 characters. */}}
{{- define "kvstore.label" -}}
{{- . | replace "+" "_" | trunc 63 | trimAll "-_." }}
{{- end }}

{{- /* Of (root, program, values' path, settings): refused as the program would refuse them, in the middle of a rollout. */}}
{{- define "kvstore.settings" -}}
{{- $known := (index . 0).Files.Get "settings.json" | fromJson }}
{{- $where := index . 2 }}
{{- range $name, $value := index . 3 }}
{{- $text := $value | toString }}
{{- $setting := index $known (index $ 1) $name }}
{{- if not $setting }}{{ fail (printf "%s: no %s has %s; docs/operations/all-settings.md lists all. Secrets are given by the chart's own values" $where (index $ 1 | replace "-" " ") $name) }}{{ end }}
{{- $range := "" }}
{{- if $setting.range }}{{ $range = printf ", %s" $setting.range }}{{ end }}
{{- if not (regexMatch (index $known.forms $setting.type) $text) }}{{ fail (printf "%s.%s: must be a %s%s, as text in quotes" $where $name $setting.type $range) }}{{ end }}
{{- if $setting.least }}
{{- $amount := mulf (regexFind "^[0-9]+" $text | float64) (index $known.units (regexFind "[A-Za-z]*$" $text) | float64) }}
{{- if or (lt $amount ($setting.least | float64)) (gt $amount ($setting.most | default "1e30" | float64)) }}{{ fail (printf "%s.%s: must be %s" $where $name $setting.range) }}{{ end }}
{{- end }}
- {name: {{ $name }}, value: {{ $text | quote }}}
{{- end }}
{{- end }}

{{- define "kvstore.metricsAnnotations" -}}
{{- if eq (index . 0).Values.metrics.mode "annotations" }}
prometheus.io/scrape: "true"
prometheus.io/scheme: https
prometheus.io/path: /q/metrics
prometheus.io/port: {{ index . 1 | quote }}
{{- end }}
{{- end }}

{{- define "kvstore.probes" -}}
startupProbe:
  httpGet: {path: /q/health/started, port: http, scheme: HTTPS}
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /q/health/live, port: http, scheme: HTTPS}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: {path: /q/health/ready, port: http, scheme: HTTPS}
  periodSeconds: 5
  timeoutSeconds: 5
{{- end }}

{{- define "kvstore.spread" -}}
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "kvstore.selector" $ | nindent 6 }}
{{- end }}
{{- end }}
