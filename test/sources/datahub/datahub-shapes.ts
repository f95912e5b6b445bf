/** Every type of entity with every common aspect, and the unusual ways in which connectors write names, lists and changes. */

export const proposal = (entityUrn: string, aspectName: string, json: unknown, changeType = 'UPSERT') => ({
  ...{ entityType: entityUrn.split(':')[2]!, entityUrn, changeType, aspectName },
  aspect: { json },
})

/** The same with the aspect as text, as the REST sink sends it. */
export const serialized = (entityUrn: string, aspectName: string, value: unknown, changeType = 'UPSERT') => ({
  ...proposal(entityUrn, aspectName, {}, changeType),
  aspect: { value: JSON.stringify(value), contentType: 'application/json' },
})

export const dataset = (platform: string, name: string, env = 'PROD') => `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},${env})`
export const field = (of: string, path: string) => `urn:li:schemaField:(${of},${path})`
const column = (fieldPath: string, more: object = {}) => ({
  ...{ fieldPath, nullable: true, nativeDataType: 'string', recursive: false },
  ...{ type: { type: { 'com.linkedin.schema.StringType': {} } }, ...more },
})
export const schema = (...fields: (string | object)[]) => ({
  ...{ schemaName: 's', platform: 'urn:li:dataPlatform:x', version: 0, hash: '', platformSchema: { 'com.linkedin.schema.Schemaless': {} } },
  fields: fields.map((each) => (typeof each === 'string' ? column(each) : each)),
})
const stamp = { time: 1_700_000_000_000, actor: 'urn:li:corpuser:etl' }
const tagged = (...tags: string[]) => ({ tags: tags.map((tag) => ({ tag: `urn:li:tag:${tag}` })) })
const termed = (...terms: string[]) => ({ terms: terms.map((urn) => ({ urn: `urn:li:glossaryTerm:${urn}` })), auditStamp: stamp })

const FLOW = 'urn:li:dataFlow:(airflow,etl,prod)'
/** One entity of each type that DataHub has. */
const ENTITIES = [
  ...[dataset('s3', 'matrix/orders'), 'urn:li:container:matrix', 'urn:li:chart:(tableau,matrix)', 'urn:li:dashboard:(tableau,matrix)'],
  ...[FLOW, `urn:li:dataJob:(${FLOW},matrix)`, 'urn:li:dataProcessInstance:matrix', 'urn:li:query:matrix', 'urn:li:assertion:matrix'],
  ...['urn:li:glossaryTerm:Matrix', 'urn:li:glossaryNode:Matrix', 'urn:li:domain:matrix', 'urn:li:dataProduct:matrix'],
  ...['urn:li:mlModel:(urn:li:dataPlatform:sagemaker,matrix,PROD)', 'urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,matrix,PROD)'],
  ...['urn:li:mlModelDeployment:(urn:li:dataPlatform:sagemaker,matrix,PROD)', 'urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,matrix)'],
  ...['urn:li:mlFeature:(matrix,f)', 'urn:li:mlPrimaryKey:(matrix,p)', 'urn:li:notebook:(querybook,matrix)', 'urn:li:incident:matrix'],
  ...[
    'urn:li:dataContract:matrix',
    'urn:li:erModelRelationship:matrix',
    'urn:li:application:matrix',
    'urn:li:structuredProperty:io.matrix',
  ],
  ...['urn:li:businessAttribute:matrix', 'urn:li:form:matrix', 'urn:li:document:matrix', 'urn:li:role:matrix', 'urn:li:post:matrix'],
  ...[
    'urn:li:dataPlatformInstance:(urn:li:dataPlatform:x,matrix)',
    'urn:li:tag:Matrix',
    'urn:li:corpGroup:matrix',
    'urn:li:futureEntity:matrix',
  ],
]

const COMMON_ASPECTS = {
  ownership: {
    owners: [
      { owner: 'urn:li:corpuser:etl', type: 'CUSTOM', typeUrn: 'urn:li:ownershipType:__system__steward' },
      { owner: 'urn:li:corpGroup:platform', type: 'DATAOWNER' },
    ],
    ownerTypes: { 'urn:li:ownershipType:steward': ['urn:li:corpuser:etl'] },
    lastModified: stamp,
  },
  globalTags: tagged('Common'),
  glossaryTerms: termed('Common.Term'),
  domains: { domains: ['urn:li:domain:common'] },
  institutionalMemory: { elements: [{ url: 'https://wiki.example.com', description: 'Wiki', createStamp: stamp }] },
  deprecation: { deprecated: true, note: 'Old.', decommissionTime: null, actor: 'urn:li:corpuser:etl' },
  documentation: { documentations: [{ documentation: 'Documented.' }] },
  structuredProperties: { properties: [{ propertyUrn: 'urn:li:structuredProperty:p', values: [{ string: 'a' }, { double: 1.5 }] }] },
  forms: { incompleteForms: [], completedForms: [], verifications: [] },
  applications: { applications: ['urn:li:application:matrix'] },
  businessAttributes: { businessAttribute: { businessAttributeUrn: 'urn:li:businessAttribute:matrix' } },
  status: { removed: false },
  subTypes: { typeNames: ['One', 'Two'] },
  dataPlatformInstance: { platform: 'urn:li:dataPlatform:x', instance: 'urn:li:dataPlatformInstance:(urn:li:dataPlatform:x,one)' },
  browsePathsV2: { path: [{ id: 'a' }] },
  siblings: { siblings: [dataset('dbt', 'a.b.c')], primary: true },
  testResults: { passing: [], failing: [] },
  futureAspect: { anything: ['at', 'all', { deep: null }] },
}

export const createMatrix = () =>
  ENTITIES.flatMap((urn, i) =>
    Object.entries(COMMON_ASPECTS).map(([name, value], j) => ((i + j) % 2 === 0 ? proposal : serialized)(urn, name, value)),
  )

export const [COMMA, ODD, NESTED, UNICODE, USED, EDITED, ASSET] = [
  dataset('excel', 'Sales, by region (2024).xlsx/Sheet 1'),
  dataset('mssql', 'shop.dbo.odd'),
  dataset('mongodb', 'shop.nested'),
  dataset('s3', 'données/été%20été/😀', 'DEV'),
  dataset('looker', 'model.explore.orders'),
  dataset('csv', 'only.edited'),
  dataset('kafka', 'only-an-asset'),
]
export const CHART = 'urn:li:chart:(looker,dash, with comma.1)'
const V2 = '[version=2.0].[type=struct]'

export const createNames = () => [
  proposal(COMMA, 'schemaMetadata', schema('a,b', 'c(d)', 'half (open', '100% sure')),
  proposal(dataset('excel', 'copy'), 'upstreamLineage', {
    upstreams: [{ dataset: COMMA, type: 'COPY', auditStamp: stamp }],
    fineGrainedLineages: ['a%2Cb', 'c%28d%29', 'half (open', '100% sure'].map((path, i) => ({
      ...{ upstreamType: 'FIELD_SET', upstreams: [field(COMMA, path)], downstreamType: 'FIELD' },
      ...{
        downstreams: [field(dataset('excel', 'copy'), `f${i}`)],
        transformOperation: 'IDENTITY',
        confidenceScore: 1,
        query: 'urn:li:query:matrix',
      },
    })),
  }),
  proposal(ODD, 'schemaMetadata', schema('Sales [EUR]', 'Sales [USD]', '[Total.Sales]', 'arr[0].x')),
  // A nested field before the one it is nested in, maps, arrays and unions.
  proposal(
    NESTED,
    'schemaMetadata',
    schema(
      column(`${V2}.[type=map].items.[type=array].[type=struct].entry.[type=string].value`),
      column(`${V2}.[type=map].items.[type=array].[type=struct].entry`, { globalTags: tagged('Late') }),
      column(`${V2}.[type=map].items`, { description: 'Outer.', glossaryTerms: termed('Outer') }),
      column(`${V2}.[type=union].[type=A].[type=int].same`, { globalTags: tagged('First') }),
      column(`${V2}.[type=union].[type=B].[type=string].same`, { globalTags: tagged('Second') }),
      column('[version=2.0].[key=True].[type=string]'),
    ),
  ),
  proposal(UNICODE, 'schemaMetadata', schema('größe', '数量')),
  proposal(UNICODE, 'upstreamLineage', { upstreams: [{ dataset: NESTED, type: 'TRANSFORMED' }] }),
  // Fields of explores, whose tags only charts report.
  proposal(USED, 'datasetProperties', { name: 'orders', tags: ['legacy'], uri: 's3://x' }),
  proposal(CHART, 'chartInfo', { title: 'Chart', description: '', inputEdges: [{ destinationUrn: USED, created: stamp }] }),
  proposal(CHART, 'inputFields', {
    fields: [
      {
        schemaFieldUrn: field(USED, 'orders.count'),
        schemaField: column('orders.count', { globalTags: tagged('Measure'), description: 'How many.' }),
      },
    ],
  }),
  // What people wrote, without a schema.
  proposal(EDITED, 'editableSchemaMetadata', {
    editableSchemaFieldInfo: [{ fieldPath: 'note', description: 'Edited.', globalTags: tagged('Edited'), glossaryTerms: termed('Edited') }],
  }),
  proposal('urn:li:dataProduct:assets', 'dataProductProperties', {
    name: 'Assets',
    assets: [
      { destinationUrn: ASSET },
      { destinationUrn: CHART },
      { destinationUrn: 'urn:li:mlModel:(urn:li:dataPlatform:x,nowhere,PROD)' },
    ],
  }),
  ...[
    'datasetAssertion',
    'volumeAssertion',
    'freshnessAssertion',
    'fieldAssertion',
    'sqlAssertion',
    'schemaAssertion',
    'customAssertion',
  ].flatMap((kind) => [
    proposal(`urn:li:assertion:${kind}`, 'assertionInfo', {
      type: kind.replace('Assertion', '').toUpperCase(),
      [kind]: { entity: COMMA, dataset: COMMA },
    }),
    proposal(`urn:li:assertion:${kind}`, 'assertionRunEvent', {
      ...{ timestampMillis: 5, assertionUrn: `urn:li:assertion:${kind}`, asserteeUrn: COMMA, runId: '1', status: 'COMPLETE' },
      result: { type: 'FAILURE', nativeResults: { a: '1' } },
    }),
  ]),
  proposal(COMMA, 'datasetProfile', {
    ...{ timestampMillis: 5, rowCount: 7, columnCount: 1 },
    fieldProfiles: [{ fieldPath: 'a,b', nullCount: 1, min: 'ada@example.com', max: 'zoe@example.com', sampleValues: ['ada@example.com'] }],
  }),
  proposal(COMMA, 'datasetUsageStatistics', {
    ...{ timestampMillis: 5, totalSqlQueries: 9, uniqueUserCount: 1, eventGranularity: { unit: 'DAY', multiple: 1 } },
    ...{ userCounts: [{ user: 'urn:li:corpuser:etl', count: 9 }], fieldCounts: [{ fieldPath: 'a,b', count: 4 }] },
  }),
  { bucket: 6, duration: 'DAY', resource: COMMA, metrics: { totalSqlQueries: 11, uniqueUserCount: 2 } },
  proposal(dataset('x', 'gone'), 'status', { removed: true }),
  proposal('urn:li:container:gone', 'status', { removed: true }),
  proposal(dataset('x', 'orphan'), 'container', { container: 'urn:li:container:gone' }),
]
