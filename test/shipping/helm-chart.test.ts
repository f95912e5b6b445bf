import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { findMissingPrograms } from '../servers/debian.ts'

const missing = await findMissingPrograms({
  programs: ['go'],
  packages: ['golang-go', 'golang-github-masterminds-sprig-dev', 'golang-gopkg-yaml.v3-dev'],
})

const FOLDER = 'packaging/helm/tablinum'

// biome-ignore lint/suspicious/noExplicitAny: objects of every kind
type KubernetesObject = any

/** The values of the chart with these. */
const merge = (values: KubernetesObject, changes: KubernetesObject): KubernetesObject =>
  Object.fromEntries(
    [...new Set([...Object.keys(values), ...Object.keys(changes)])].map((name) => {
      const [value, change] = [values[name], changes[name]]
      const nested = change !== undefined && typeof value === 'object' && !Array.isArray(value)
      return [name, nested ? merge(value, change) : (change ?? value)]
    }),
  )

/** The objects that Helm would create, and what it prints. */
const render = (changes: object = {}) => {
  const values = merge(parse(readFileSync(`${FOLDER}/values.yaml`, 'utf8')), changes)
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' }
  const input = JSON.stringify({ folder: FOLDER, release: 'catalog', values })
  const text = execFileSync('go', ['run', 'test/servers/render-chart.go'], { env, input, encoding: 'utf8' })
  const at = text.lastIndexOf('\n---\n')
  const objects: KubernetesObject[] = parseAllDocuments(text.slice(0, at))
    .map((document) => document.toJS())
    .filter(Boolean)
  const find = (kind: string, component = '') => objects.find((each) => each.kind === kind && each.metadata.name.endsWith(component))
  return { objects, find, notes: text.slice(at) }
}

test.skipIf(missing)('the Helm chart creates what an operator expects', () => {
  const { objects, find, notes } = render()
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).toSorted()).toEqual([
    'Deployment catalog-tablinum-web',
    'Deployment catalog-tablinum-worker',
    'HorizontalPodAutoscaler catalog-tablinum-web',
    'Job catalog-tablinum-migrate',
    'NetworkPolicy catalog-tablinum',
    'PodDisruptionBudget catalog-tablinum-web',
    'Service catalog-tablinum',
  ])
  for (const component of ['web', 'worker', 'migrate']) {
    const { template } = find(component === 'migrate' ? 'Job' : 'Deployment', component).spec
    const [container] = template.spec.containers
    expect(template.spec).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true, runAsUser: 10_001 } })
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    // Secrets are only referenced.
    const secrets = container.env.filter(({ name }: { name: string }) => /DATABASE_URL|KEY|TOKEN/.test(name))
    expect(secrets.map(({ valueFrom }: KubernetesObject) => valueFrom.secretKeyRef.key)).toEqual([
      'database-url',
      'secret-key',
      'admin-token',
      'metrics-token',
    ])
    expect(container.args).toEqual(component === 'migrate' ? ['migrate'] : ['start', '--role', component])
    if (component === 'migrate') continue
    expect([container.startupProbe, container.livenessProbe, container.readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
      '/healthcheck',
      '/healthcheck',
      '/readycheck',
    ])
    // The budget, the scaler, the policy and the service concern the pods they should.
    expect(template.metadata.labels).toMatchObject(find('Deployment', component).spec.selector.matchLabels)
    expect(template.metadata.labels).toMatchObject(find('NetworkPolicy').spec.podSelector.matchLabels)
  }
  const web = find('Deployment', 'web').spec.template.metadata.labels
  expect(web).toMatchObject(find('Service').spec.selector)
  expect(web).toMatchObject(find('PodDisruptionBudget').spec.selector.matchLabels)
  expect(find('HorizontalPodAutoscaler').spec).toMatchObject({
    scaleTargetRef: { kind: 'Deployment', name: 'catalog-tablinum-web' },
    ...{ minReplicas: 2, maxReplicas: 6 },
  })
  expect(find('Job').metadata.annotations['helm.sh/hook']).toBe('pre-install,pre-upgrade')
  expect(notes).toContain('rollout status deployment/catalog-tablinum-web')
  expect(notes).toContain('port-forward service/catalog-tablinum 3000:80')
})

test.skipIf(missing)('every value of the Helm chart has its place', () => {
  const peers = [{ podSelector: { matchLabels: { app: 'proxy' } } }]
  const { find, objects, notes } = render({
    image: { repository: 'registry.example.com/tablinum', tag: '2.0.0', pullSecrets: [{ name: 'registry' }] },
    existingSecret: 'elsewhere',
    publicUrl: 'https://catalog.example.com',
    env: { TABLINUM_POOL: '20' },
    extraEnv: [{ name: 'SMTP_URL', valueFrom: { secretKeyRef: { name: 'mail', key: 'url' } } }],
    web: { replicas: 3, autoscaling: { enabled: false } },
    worker: { replicas: 2 },
    backups: { existingClaim: 'backups' },
    ingress: { enabled: true, className: 'nginx', host: 'catalog.example.com', tlsSecret: 'tls', annotations: { a: 'b' } },
    networkPolicy: { from: peers },
    migrationJob: { enabled: false },
    nodeSelector: { disk: 'fast' },
    tolerations: [{ key: 'only', operator: 'Exists' }],
  })
  expect(objects.map(({ kind }) => kind)).not.toEqual(expect.arrayContaining(['Job']))
  expect(find('HorizontalPodAutoscaler')).toBeUndefined()
  expect([find('Deployment', 'web').spec.replicas, find('Deployment', 'worker').spec.replicas]).toEqual([3, 2])
  const { spec } = find('Deployment', 'worker').spec.template
  expect(spec).toMatchObject({
    imagePullSecrets: [{ name: 'registry' }],
    nodeSelector: { disk: 'fast' },
    tolerations: [{ key: 'only', operator: 'Exists' }],
  })
  const [{ image, env, volumeMounts }] = spec.containers
  expect(image).toBe('registry.example.com/tablinum:2.0.0')
  expect(env).toEqual(
    expect.arrayContaining([
      { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: 'elsewhere', key: 'database-url' } } },
      { name: 'PUBLIC_URL', value: 'https://catalog.example.com' },
      { name: 'TABLINUM_POOL', value: '20' },
      { name: 'TABLINUM_BACKUPS', value: '/backups' },
      { name: 'SMTP_URL', valueFrom: { secretKeyRef: { name: 'mail', key: 'url' } } },
    ]),
  )
  expect(volumeMounts).toContainEqual({ name: 'backups', mountPath: '/backups' })
  expect(spec.volumes).toContainEqual({ name: 'backups', persistentVolumeClaim: { claimName: 'backups' } })
  expect(find('Deployment', 'web').spec.template.spec.volumes).not.toContainEqual(expect.objectContaining({ name: 'backups' }))
  expect(find('NetworkPolicy').spec.ingress[0].from).toEqual(peers)
  expect(find('Ingress').metadata.annotations).toEqual({ a: 'b' })
  expect(find('Ingress').spec).toMatchObject({
    ingressClassName: 'nginx',
    tls: [{ hosts: ['catalog.example.com'], secretName: 'tls' }],
    rules: [{ host: 'catalog.example.com', http: { paths: [{ backend: { service: { name: 'catalog-tablinum' } } }] } }],
  })
  expect(notes).not.toContain('port-forward')
  expect(() => render({ ingress: { enabled: true } })).toThrow('ingress.host is required')
})
