/** Events in the shapes of connectors of which no recording is at hand, after DataHub's public definitions of aspects. */
const proposal = (entityUrn: string, aspectName: string, json: object, changeType = 'UPSERT') => ({
  entityType: entityUrn.split(':')[2],
  entityUrn,
  changeType,
  aspectName,
  aspect: { json },
})
const dataset = (platform: string, name: string) => `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`
const field = (of: string, path: string) => `urn:li:schemaField:(${of},${path})`
const stamp = { time: 1, actor: 'urn:li:corpuser:unknown' }
const fields = (...paths: string[]) => ({
  schemaName: 's',
  platform: 'urn:li:dataPlatform:x',
  version: 0,
  hash: '',
  platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
  fields: paths.map((fieldPath) => ({
    fieldPath,
    nullable: true,
    type: { type: { 'com.linkedin.schema.StringType': {} } },
    nativeDataType: 'string',
  })),
})

const [GLUE, S3, ORACLE, OPEN_API] = [
  dataset('glue', 'lake.orders'),
  dataset('s3', 'bucket/raw/orders.json'),
  dataset('oracle', 'prod.sales.orders'),
  dataset('OpenApi', 'getOrders'),
]
const UNION = '[version=2.0].[type=struct].[type=union]'
const [DOMAIN, SUBDOMAIN, PRODUCT] = ['urn:li:domain:sales', 'urn:li:domain:sales-eu', 'urn:li:dataProduct:orders']
const [DASHBOARD, CHART, SHEET] = ['urn:li:dashboard:(tableau,d1)', 'urn:li:chart:(tableau,c1)', 'urn:li:chart:(mode,c2)']
const FLOW = 'urn:li:dataFlow:(dagster,jobs/daily,PROD)'
const [JOB, UPSTREAM_JOB] = [`urn:li:dataJob:(${FLOW},load)`, `urn:li:dataJob:(${FLOW},extract)`]
const RUN = 'urn:li:dataProcessInstance:run1'
const TERM = 'urn:li:glossaryTerm:pii'

export const createOtherEvents = () => ({
  events: [
    // Glue and S3: lineage of a whole dataset into columns, tags of fields in three places.
    proposal(GLUE, 'datasetProperties', { name: 'orders', customProperties: { Classification: 'parquet' } }),
    proposal(GLUE, 'schemaMetadata', {
      ...fields('id', 'total', `${UNION}.[type=A].value`, `${UNION}.[type=B].value`),
      fields: [
        { ...fields('id').fields[0], label: 'ID', globalTags: { tags: [{ tag: 'urn:li:tag:from-schema' }] } },
        ...fields('total', `${UNION}.[type=A].value`, `${UNION}.[type=B].value`).fields,
      ],
    }),
    proposal(GLUE, 'editableSchemaMetadata', {
      editableSchemaFieldInfo: [
        { fieldPath: 'id', description: 'Key.', globalTags: { tags: [{ tag: 'urn:li:tag:edited' }] } },
        { fieldPath: 'gone', description: 'No longer there.' },
      ],
      created: stamp,
      lastModified: stamp,
    }),
    proposal(field(GLUE, 'id'), 'globalTags', { tags: [{ tag: 'urn:li:tag:own' }] }),
    proposal(field(GLUE, 'id'), 'structuredProperties', {
      properties: [{ propertyUrn: 'urn:li:structuredProperty:p', values: [{ string: 'v' }] }],
    }),
    proposal(field(ORACLE, 'only_here'), 'glossaryTerms', { terms: [{ urn: TERM }], auditStamp: stamp }),
    proposal(GLUE, 'upstreamLineage', {
      upstreams: [],
      fineGrainedLineages: [
        { upstreamType: 'DATASET', upstreams: [S3], downstreamType: 'FIELD', downstreams: [field(GLUE, 'total')], confidenceScore: 1 },
      ],
    }),
    proposal(GLUE, 'ownership', { owners: [{ owner: 'urn:li:corpGroup:data', type: 'DATAOWNER' }], ownerTypes: {}, lastModified: stamp }),
    proposal(GLUE, 'domains', { domains: [DOMAIN] }),
    proposal(GLUE, 'structuredProperties', { properties: [{ propertyUrn: 'urn:li:structuredProperty:p', values: [{ double: 1 }] }] }),
    proposal(GLUE, 'forms', { incompleteForms: [], completedForms: [] }),
    proposal(GLUE, 'browsePathsV2', { path: [{ id: 'lake' }] }),
    proposal(DOMAIN, 'domainProperties', { name: 'Sales', description: 'All of sales.' }),
    proposal(SUBDOMAIN, 'domainProperties', { name: 'Europe', parentDomain: DOMAIN }),
    proposal(PRODUCT, 'dataProductProperties', { name: 'Orders', assets: [{ destinationUrn: GLUE, sourceUrn: PRODUCT }] }),
    // Snapshots of older connectors, with unions and names of classes.
    {
      auditHeader: null,
      proposedSnapshot: {
        'com.linkedin.pegasus2avro.metadata.snapshot.DatasetSnapshot': {
          urn: OPEN_API,
          aspects: [
            { 'com.linkedin.pegasus2avro.dataset.DatasetProperties': { description: 'GET /orders', tags: [], customProperties: {} } },
            { 'com.linkedin.pegasus2avro.common.GlobalTags': { tags: [{ tag: 'urn:li:tag:get' }] } },
            {
              'com.linkedin.pegasus2avro.common.InstitutionalMemory': {
                elements: [{ url: 'https://x', description: 'd', createStamp: stamp }],
              },
            },
            { 'com.linkedin.pegasus2avro.schema.SchemaMetadata': fields('a', 'b.c') },
          ],
        },
      },
      proposedDelta: null,
      systemMetadata: null,
    },
    {
      proposedSnapshot: {
        'com.linkedin.pegasus2avro.metadata.snapshot.CorpUserSnapshot': {
          urn: 'urn:li:corpuser:ada@example.org',
          aspects: [{ 'com.linkedin.pegasus2avro.identity.CorpUserInfo': { active: true, email: 'ada@example.org', displayName: 'Ada' } }],
        },
      },
    },
    // Users and groups of Okta or Azure AD.
    proposal('urn:li:corpGroup:data', 'corpGroupInfo', { displayName: 'Data', admins: [], members: [], groups: [] }),
    proposal('urn:li:corpuser:grace', 'groupMembership', { groups: ['urn:li:corpGroup:data'] }),
    proposal('urn:li:tag:unused', 'tagProperties', { name: 'Unused', description: 'Of nothing.' }),
    proposal('urn:li:tag:unused', 'ownership', { owners: [{ owner: 'urn:li:corpuser:grace', type: 'DATAOWNER' }] }),
    // BI: charts as inputs, edges, usage.
    proposal(DASHBOARD, 'dashboardInfo', {
      title: 'D',
      description: '',
      charts: [],
      chartEdges: [{ destinationUrn: CHART }],
      datasets: [GLUE],
    }),
    proposal(CHART, 'chartInfo', { title: 'C', description: '', inputs: [{ string: GLUE }], inputEdges: [{ destinationUrn: SHEET }] }),
    proposal(CHART, 'chartUsageStatistics', { timestampMillis: 5, viewsCount: 12, eventGranularity: null }),
    proposal(CHART, 'inputFields', { fields: [{ schemaFieldUrn: field(GLUE, 'total'), schemaField: fields('total').fields[0] }] }),
    // Orchestration: jobs after jobs, columns without pairs, runs with inputs and outputs.
    proposal(FLOW, 'dataFlowInfo', { name: 'daily', customProperties: {} }),
    proposal(JOB, 'dataJobInfo', { name: 'load', type: { string: 'COMMAND' }, customProperties: {} }),
    proposal(JOB, 'dataJobInputOutput', {
      inputDatasets: [],
      outputDatasets: [],
      inputDatajobEdges: [{ destinationUrn: UPSTREAM_JOB }],
      outputDatasetEdges: [{ destinationUrn: ORACLE }],
      inputDatasetFields: [field(S3, 'x')],
      fineGrainedLineages: [
        {
          upstreamType: 'FIELD_SET',
          upstreams: [field(S3, 'x')],
          downstreamType: 'FIELD',
          downstreams: [field(ORACLE, 'id')],
          confidenceScore: 1,
        },
      ],
    }),
    proposal(RUN, 'dataProcessInstanceProperties', { name: 'run 1', created: stamp, customProperties: {} }),
    proposal(RUN, 'dataProcessInstanceRelationships', { parentTemplate: JOB, upstreamInstances: [] }),
    proposal(RUN, 'dataProcessInstanceInput', { inputs: [S3] }),
    proposal(RUN, 'dataProcessInstanceOutput', { outputs: [OPEN_API] }),
    proposal(RUN, 'dataProcessInstanceRunEvent', { timestampMillis: 9, status: 'COMPLETE', result: { type: 'SUCCESS' } }),
    // Patches of sources that only know a part of an aspect.
    proposal(OPEN_API, 'globalTags', [{ op: 'add', path: '/tags/urn:li:tag:patched', value: { tag: 'urn:li:tag:patched' } }], 'PATCH'),
    proposal(
      ORACLE,
      'upstreamLineage',
      [{ op: 'add', path: `/upstreams/${S3}`, value: { dataset: S3, type: 'COPY', auditStamp: stamp } }],
      'PATCH',
    ),
    // What the catalog has no place for.
    proposal('urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,driver)', 'mlFeatureTableProperties', { mlFeatures: [] }),
    proposal('urn:li:mlModel:(urn:li:dataPlatform:mlflow,churn,PROD)', 'mlModelProperties', { name: 'churn' }),
    proposal('urn:li:structuredProperty:p', 'propertyDefinition', { qualifiedName: 'p', valueType: 'urn:li:dataType:datahub.string' }),
    proposal('urn:li:form:f', 'formInfo', { name: 'F', prompts: [] }),
    proposal('urn:li:erModelRelationship:r', 'erModelRelationshipProperties', { name: 'r', source: GLUE, destination: ORACLE }),
    proposal('urn:li:assertion:a', 'assertionInfo', { type: 'FIELD', fieldAssertion: { type: 'FIELD_METRIC', entity: GLUE } }),
    proposal('urn:li:notebook:(querybook,1)', 'notebookInfo', { title: 'N', changeAuditStamps: {} }),
  ],
  expected: {
    table: GLUE,
    domain: DOMAIN,
    product: PRODUCT,
    chart: CHART,
    losses: [
      'the field gone',
      'another field has the same name',
      'urn:li:corpGroup:data',
      'urn:li:corpuser:grace',
      'urn:li:corpuser:ada@example.org',
      'urn:li:tag:unused: the owner urn:li:corpuser:grace',
      'urn:li:mlFeatureTable:',
      'urn:li:notebook:',
    ],
  },
})
