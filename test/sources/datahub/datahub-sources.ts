import { dataset, field, proposal, schema, serialized } from './datahub-shapes.ts'

/** Events in the shapes that sources of DataHub emit of which no recording is at hand, each with what is particular about it. */

const stamp = { time: 1_700_000_000_000, actor: 'urn:li:corpuser:unknown' }
const snapshot = (type: string, urn: string, ...aspects: object[]) => ({
  auditHeader: null,
  proposedSnapshot: { [`com.linkedin.pegasus2avro.metadata.snapshot.${type}Snapshot`]: { urn, aspects } },
  proposedDelta: null,
  systemMetadata: { lastObserved: 1_700_000_000_000, runId: 'test', registryName: null, registryVersion: null, properties: null },
})
const aspect = (name: string, value: object) => ({ [`com.linkedin.pegasus2avro.${name}`]: value })
const string = (text: string) => ({ string: text })
const column = (fieldPath: string, more: object = {}) => ({
  ...{ fieldPath, jsonPath: null, nullable: false, recursive: false, nativeDataType: 'varchar(100)' },
  ...{ type: { type: { 'com.linkedin.pegasus2avro.schema.StringType': {} } }, ...more },
})
const fine = (upstreams: string[], downstreams: string[], more: object = {}) => ({
  ...{ upstreamType: 'FIELD_SET', upstreams, downstreamType: 'FIELD', downstreams, confidenceScore: 1, ...more },
})
const upstream = (of: string, type = 'TRANSFORMED') => ({ auditStamp: stamp, dataset: of, type })
const V2 = '[version=2.0].[type=struct]'

/** Avro's JSON with the types of optional values, as the bootstrap file and Kafka consumers write it. */
const KAFKA = dataset('kafka', 'SampleTopic')
const HDFS = dataset('hdfs', 'SampleFile')
const avro = () => [
  snapshot(
    'CorpUser',
    'urn:li:corpuser:jdoe',
    aspect('identity.CorpUserInfo', {
      active: true,
      displayName: string('John'),
      email: 'jdoe@example.com',
      title: string('Boss'),
      managerUrn: null,
    }),
  ),
  snapshot(
    'CorpGroup',
    'urn:li:corpGroup:bfoo',
    aspect('identity.CorpGroupInfo', { email: 'b@example.com', admins: [], members: ['urn:li:corpuser:jdoe'], groups: [] }),
  ),
  snapshot(
    'Dataset',
    KAFKA,
    aspect('common.BrowsePaths', { paths: ['/prod/kafka/SampleTopic'] }),
    aspect('dataset.DatasetProperties', { description: string('Described.'), uri: null, tags: [], customProperties: { string: 'kept' } }),
    aspect('common.Ownership', { owners: [{ owner: 'urn:li:corpuser:jdoe', type: 'DATAOWNER', source: null }], lastModified: stamp }),
    aspect('schema.SchemaMetadata', {
      ...{
        schemaName: 'S',
        platform: 'urn:li:dataPlatform:kafka',
        version: 0,
        created: stamp,
        lastModified: stamp,
        deleted: null,
        hash: '',
      },
      platformSchema: { 'com.linkedin.pegasus2avro.schema.KafkaSchema': { documentSchema: '{}' } },
      fields: [
        column(`${V2}.[type=boolean].field_foo`, { description: string('Foo.'), globalTags: { tags: [{ tag: 'urn:li:tag:NeedsDocs' }] } }),
        column('[version=2.0].[key=True].[type=int].id', { description: string('Partition.') }),
      ],
      primaryKeys: null,
    }),
  ),
  snapshot(
    'Dataset',
    HDFS,
    aspect('dataset.UpstreamLineage', { upstreams: [upstream(KAFKA)] }),
    aspect('schema.EditableSchemaMetadata', {
      editableSchemaFieldInfo: [{ fieldPath: 'shipment', globalTags: { tags: [{ tag: 'urn:li:tag:Legacy' }] } }],
    }),
    aspect('schema.SchemaMetadata', { schemaName: 'S', fields: [column('shipment'), column('shipment.date'), column('shipment.geo.lat')] }),
  ),
]

/** Feast and SageMaker: features with their sources. */
const FEATURE = 'urn:li:mlFeature:(store.hourly,rate)'
const features = () => [
  snapshot(
    'MLFeature',
    FEATURE,
    aspect('common.Status', { removed: false }),
    aspect('ml.metadata.MLFeatureProperties', {
      description: 'Rate',
      dataType: 'CONTINUOUS',
      sources: [dataset('file', 'only.a.source.parquet')],
    }),
  ),
  snapshot(
    'MLFeatureTable',
    'urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,store.hourly)',
    aspect('ml.metadata.MLFeatureTableProperties', { customProperties: {}, mlFeatures: [FEATURE], mlPrimaryKeys: [] }),
    aspect('common.GlobalTags', { tags: [{ tag: 'urn:li:tag:Deprecated' }] }),
  ),
  snapshot(
    'MLModel',
    'urn:li:mlModel:(urn:li:dataPlatform:sagemaker,churn,PROD)',
    aspect('ml.metadata.MLModelProperties', {
      trainingJobs: ['urn:li:dataJob:(urn:li:dataFlow:(sagemaker,train,PROD),job)'],
      mlFeatures: [FEATURE],
    }),
  ),
]

/** Vertex AI and MLflow: runs in experiments, with models as outputs. */
const RUN = 'urn:li:dataProcessInstance:2666299269d6'
const [FINISHED, RUNNING] = ['finished', 'running'].map((name) => `urn:li:dataProcessInstance:${name}`)
const runs = () => [
  ...[FINISHED!, RUNNING!].flatMap((urn) => [
    proposal(urn, 'dataProcessInstanceRelationships', { parentTemplate: JOB, upstreamInstances: [] }),
    proposal(urn, 'dataProcessInstanceRunEvent', { timestampMillis: 1_700_000_000_000, status: 'STARTED' }),
  ]),
  proposal(FINISHED!, 'dataProcessInstanceRunEvent', {
    ...{ timestampMillis: 1_700_000_060_000, status: 'COMPLETE', durationMillis: 60_000 },
    result: { type: 'FAILURE', nativeResultType: 'flink' },
  }),
  proposal('urn:li:tag:mlflow_production', 'tagProperties', {
    name: 'mlflow_production',
    description: 'In production.',
    colorHex: '#308613',
  }),
  proposal('urn:li:container:experiment', 'containerProperties', { name: 'Experiment', customProperties: {} }),
  proposal('urn:li:container:experiment', 'subTypes', { typeNames: ['ML Experiment'] }),
  proposal(RUN, 'dataProcessInstanceProperties', { name: 'run', created: stamp, customProperties: {} }),
  proposal(RUN, 'container', { container: 'urn:li:container:experiment' }),
  proposal(RUN, 'mlTrainingRunProperties', { id: '1', hyperParams: [{ name: 'p', value: '1' }] }),
  proposal(RUN, 'dataProcessInstanceInput', { inputs: [], inputEdges: [{ destinationUrn: dataset('vertexai', 'p.dataset.1') }] }),
  proposal(RUN, 'dataProcessInstanceOutput', {
    outputs: [],
    outputEdges: [{ destinationUrn: 'urn:li:mlModel:(urn:li:dataPlatform:mlflow,m_1,PROD)' }],
  }),
]

/** SQL queries: lineage as patches whose paths contain SQL, and a table that is filled from itself. */
const [AUDIT, SESSIONS] = [dataset('snowflake', 'db.public.audit_log'), dataset('snowflake', 'db.public.sessions')]
const patches = () => [
  proposal(
    AUDIT,
    'upstreamLineage',
    [
      { op: 'add', path: `/upstreams/${SESSIONS}`, value: { ...upstream(SESSIONS), query: 'urn:li:query:1' } },
      { op: 'add', path: `/upstreams/${AUDIT}`, value: upstream(AUDIT) },
      {
        op: 'add',
        path: `/fineGrainedLineages/SQL: "A"."B" ~1 2 AS "USER_ID"/${field(AUDIT, 'user_id')}/urn:li:query:1/${field(SESSIONS, 'user_id')}`,
        value: { confidenceScore: 0.9 },
      },
    ],
    'PATCH',
  ),
  proposal('urn:li:query:1', 'queryProperties', {
    statement: { value: 'insert into audit_log select user_id from sessions', language: 'SQL' },
    source: 'SYSTEM',
  }),
  proposal('urn:li:query:1', 'querySubjects', { subjects: [{ entity: AUDIT }, { entity: field(AUDIT, 'current_timestamp%28%29') }] }),
]

/** Mode and Looker: fields without a source, and names without a database. */
const MODE = dataset('mode', '10149707')
const bi = () => [
  proposal(MODE, 'upstreamLineage', {
    upstreams: [upstream(dataset('postgres', '.public.staff'))],
    fineGrainedLineages: [
      fine([field(dataset('postgres', '.public.staff'), 'id')], [field(MODE, 'id')]),
      fine([], [field(MODE, 'computed')]),
      { upstreamType: 'NONE', downstreamType: 'FIELD', downstreams: [field(MODE, 'constant')], confidenceScore: 1 },
    ],
  }),
  proposal('urn:li:dashboard:(qlik-sense,a)', 'dashboardInfo', {
    ...{ title: 'Sheet', description: '', charts: ['urn:li:chart:(qlik-sense,QYUUb)'], datasets: [], lastModified: {} },
    dashboards: [{ destinationUrn: 'urn:li:dashboard:(qlik-sense,inner)' }],
  }),
  proposal('urn:li:dashboard:(qlik-sense,a)', 'ownership', {
    owners: [
      { owner: 'urn:li:corpuser:Ann Example', type: 'TECHNICAL_OWNER' },
      { owner: 'urn:li:corpuser:Ann Example', type: 'NONE' },
    ],
  }),
  proposal('urn:li:dashboard:(hex,p)', 'dashboardInfo', {
    title: 'P',
    description: '',
    charts: [],
    datasetEdges: [{ destinationUrn: AUDIT }],
  }),
  proposal('urn:li:dashboard:(hex,p)', 'dashboardInfo', [{ op: 'add', path: '/lastRefreshed', value: 1 }], 'PATCH'),
  proposal('urn:li:document:hex-p', 'documentInfo', {
    ...{ title: 'P', contents: { text: '# P' }, status: { state: 'PUBLISHED' } },
    relatedAssets: [{ asset: 'urn:li:dashboard:(hex,p)' }],
  }),
  proposal('urn:li:schemaField:(urn:li:chart:(tableau,c),Profit)', 'globalTags', { tags: [{ tag: 'urn:li:tag:Measure' }] }),
  proposal('urn:li:schemaField:(urn:li:dataJob:(urn:li:dataFlow:(spark,f,PROD),j),x)', 'globalTags', {
    tags: [{ tag: 'urn:li:tag:Measure' }],
  }),
]

/** Azure Data Factory, Dagster, Glue: jobs with columns, and one that writes what it reads. */
const FLOW = 'urn:li:dataFlow:(azure-data-factory,factory.Pipeline,DEV)'
const JOB = `urn:li:dataJob:(${FLOW},Copy With Mappings)`
const [SOURCE, TARGET] = [dataset('mssql', 'Source', 'DEV'), dataset('abs', 'container/out (1), final.csv', 'DEV')]
const jobs = () => [
  serialized(JOB, 'dataJobInfo', { customProperties: {}, name: 'Copy', type: { string: 'COMMAND' }, flowUrn: FLOW, env: 'DEV' }),
  serialized(JOB, 'dataJobInputOutput', {
    ...{ inputDatasets: [SOURCE], outputDatasets: [TARGET], outputDatasetFields: [field(TARGET, 'only_written')] },
    fineGrainedLineages: [
      fine([field(SOURCE, 'id')], [field(TARGET, 'id')], { transformOperation: 'COPY' }),
      fine([field(dataset('mssql', 'NotListed', 'DEV'), 'x')], [field(TARGET, 'x')]),
    ],
  }),
  proposal(`urn:li:dataJob:(${FLOW},Itself)`, 'dataJobInputOutput', {
    inputDatasets: [SOURCE],
    outputDatasets: [SOURCE],
    inputDatajobs: [JOB],
  }),
]

/** Salesforce, S3, SAP, Excel, JSON schemas: fields of every kind. */
const NESTED = dataset('s3', 'my-bucket/folder_a/events_json', 'UAT')
const fields = () => [
  proposal(NESTED, 'schemaMetadata', {
    ...schema(
      `${V2}.[type=array].[type=struct].effects.[type=string].name`,
      `${V2}.[type=map].[type=string].labels`,
      `${V2}.[type=union].[type=A].[type=int].value`,
      `${V2}.[type=union].[type=B].[type=string].value`,
      'media-types.base',
      'Sales Amount (EUR)',
      '50%_off',
      'Ümlaut',
      '日付',
      'Name',
      'NAME',
      '',
    ),
    primaryKeys: ['Name'],
  }),
  proposal(dataset('hana', 'HANA.SCHEMA.CE.SCHEMA::VIEW'), 'datasetKey', {
    platform: 'urn:li:dataPlatform:hana',
    name: 'x',
    origin: 'PROD',
  }),
  proposal(NESTED, 'status', [{ op: 'add', path: '/removed', value: false }], 'PATCH'),
  proposal(NESTED, 'upstreamLineage', {
    upstreams: [upstream(dataset('hana', 'HANA.SCHEMA.CE.SCHEMA::VIEW'), 'COPY')],
    fineGrainedLineages: [fine([field(dataset('hana', 'HANA.SCHEMA.CE.SCHEMA::VIEW'), 'A%2CB')], [field(NESTED, 'sales amount (eur)')])],
  }),
]

/** CSV enricher and the rest of the model: what has no place is named. */
const others = () => [
  {
    ...serialized(dataset('hive', 'SampleHive'), 'editableSchemaMetadata', {
      editableSchemaFieldInfo: [
        { fieldPath: 'field_foo', glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:Balance' }], auditStamp: stamp } },
      ],
    }),
    auditHeader: null,
    entityKeyAspect: null,
  },
  proposal('urn:li:notebook:(querybook,1)', 'notebookInfo', { title: 'N', changeAuditStamps: {} }),
  proposal('urn:li:incident:1', 'incidentInfo', { type: 'FRESHNESS', entities: [AUDIT], status: { state: 'ACTIVE' } }),
  proposal('urn:li:erModelRelationship:1', 'erModelRelationshipProperties', { name: 'r', source: AUDIT, destination: SESSIONS }),
  proposal('urn:li:dataContract:1', 'dataContractProperties', { entity: dataset('x', 'only.in.a.contract') }),
  proposal('urn:li:application:1', 'applicationProperties', { name: 'App', assets: [{ destinationUrn: AUDIT }] }),
  proposal('urn:li:businessAttribute:1', 'businessAttributeInfo', { fieldPath: 'a', name: 'A' }),
  proposal(AUDIT, 'logicalParent', { parent: { destinationUrn: dataset('logical', 'audit') } }),
  proposal(AUDIT, 'versionProperties', { versionSet: 'urn:li:versionSet:(1,dataset)', version: { versionTag: '1' } }),
  proposal(AUDIT, 'siblings', { siblings: [dataset('dbt', 'db.public.audit_log')], primary: true }),
]

/** Vertex AI, Great Expectations and governance: what is named only in places where nothing else is. */
const [SCORED, LOADED] = [dataset('bigquery', 'p.ml.scored'), dataset('oracle', 'erp.hr.people')]
const NOTED = ['version_set', 'patch_key', 'query_subject', 'query_origin', 'affected', 'sibling', 'replacement', 'referenced'].map(
  (name) => dataset('s3', `only/${name}`),
)
const relations = () => [
  proposal('urn:li:versionSet:(a,dataset)', 'versionSetProperties', { latest: NOTED[0]! }),
  proposal(
    'urn:li:mlModel:(urn:li:dataPlatform:mlflow,patched,PROD)',
    'mlModelProperties',
    [{ op: 'add', path: `/sources/${NOTED[1]!.replaceAll('/', '~1')}`, value: {} }],
    'PATCH',
  ),
  proposal('urn:li:query:noted', 'queryProperties', {
    statement: { value: 'select 1', language: 'SQL' },
    source: 'SYSTEM',
    origin: NOTED[3],
  }),
  proposal('urn:li:query:noted', 'querySubjects', { subjects: [{ entity: NOTED[2]! }] }),
  proposal(LOADED, 'operation', { timestampMillis: 5, lastUpdatedTimestamp: 5, operationType: 'INSERT', affectedDatasets: [NOTED[4]!] }),
  proposal(LOADED, 'siblings', { siblings: [NOTED[5]!], primary: true }),
  proposal(LOADED, 'deprecation', { deprecated: true, note: 'Old.', actor: 'urn:li:corpuser:x', replacement: NOTED[6]! }),
  proposal(LOADED, 'schemaMetadata', {
    ...schema('id', 'parent'),
    foreignKeys: [{ name: 'fk', sourceFields: [field(LOADED, 'id')], foreignFields: [field(NOTED[7]!, 'id')], foreignDataset: NOTED[7]! }],
  }),
  proposal(
    LOADED,
    'schemaMetadata',
    [{ op: 'add', path: '/schemaFieldInfo/parent/globalTags/tags/urn:li:tag:Patched', value: { tag: 'urn:li:tag:Patched' } }],
    'PATCH',
  ),
  proposal(LOADED, 'upstreamLineage', { upstreams: [], fineGrainedLineages: [fine([field(LOADED, 'parent')], [field(LOADED, 'id')])] }),
  proposal(LOADED, 'container', { container: 'urn:li:container:never-described' }),
  proposal('urn:li:businessAttribute:card', 'businessAttributeInfo', {
    ...{ fieldPath: 'card', name: 'Card', globalTags: { tags: [{ tag: 'urn:li:tag:OfAttribute' }] } },
    glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:OfAttribute' }], auditStamp: stamp },
  }),
  proposal(SCORED, 'upstreamLineage', { upstreams: [], fineGrainedLineages: [fine([FEATURE], [field(SCORED, 'score')])] }),
  proposal(`urn:li:dataJob:(${FLOW},Whole)`, 'dataJobInputOutput', {
    ...{ inputDatasets: [], outputDatasets: [] },
    fineGrainedLineages: [fine([SCORED], [dataset('s3', 'whole/output')], { upstreamType: 'DATASET', downstreamType: 'DATASET' })],
  }),
  proposal(
    'urn:li:dataProcessInstance:patched',
    'dataProcessInstanceOutput',
    [
      {
        op: 'add',
        path: '/outputEdges/urn%3Ali%3Adataset%3A%28urn%3Ali%3AdataPlatform%3Agcs%2Cout%2CPROD%29',
        value: { destinationUrn: dataset('gcs', 'out') },
      },
    ],
    'PATCH',
  ),
]

/** Snowflake, dbt and Power BI: metrics of semantic models, with their datasets as URNs or as records. */
const [SOLD, RETURNED] = [dataset('snowflake', 'shop.public.sold'), dataset('snowflake', 'shop.public.returned')]
const MODEL = 'urn:li:semanticModel:(urn:li:dataPlatform:snowflake,shop.public,sales)'
const METRIC = 'urn:li:metric:(urn:li:dataPlatform:snowflake,shop.public.sales,net_revenue)'
const semantics = () => [
  proposal(MODEL, 'semanticModelInfo', {
    ...{ name: 'Sales', description: 'What was sold.', nativeDefinition: 'create semantic view sales' },
    datasets: [SOLD, { name: 'back', source: RETURNED, fields: [{ name: 'reason', type: 'DIMENSION' }] }],
  }),
  proposal(METRIC, 'metricInfo', {
    ...{ name: 'Net revenue', semanticModel: MODEL },
    expression: { dialects: [{ dialect: 'SNOWFLAKE', expression: 'sum(amount)' }] },
  }),
  proposal(METRIC, 'metricUpstreams', {
    datasetUpstreams: [{ destinationUrn: SOLD }],
    fieldUpstreams: [{ destinationUrn: field(SOLD, 'amount') }],
  }),
  proposal(METRIC, 'metricRelationships', { derivedFrom: [{ destinationUrn: METRIC.replace('net_revenue', 'refunds') }] }),
  proposal(METRIC, 'ownership', { owners: [{ owner: 'urn:li:corpuser:metric-owner', type: 'DATAOWNER' }] }),
]

/** Owners that are only listed by their type, parents that no event describes, a term with a schema, relations of a column, and many users. */
const TERM = 'urn:li:glossaryTerm:with-schema'
const GUIDE = 'urn:li:document:guide'
const USED = dataset('snowflake', 'shop.public.used')
const governance = () => [
  proposal('urn:li:ownershipType:7f', 'ownershipTypeInfo', { name: 'Keeper', description: 'Keeps it.' }),
  proposal(USED, 'ownership', {
    owners: [{ owner: 'urn:li:corpuser:listed', type: 'CUSTOM', typeUrn: 'urn:li:ownershipType:7f' }],
    ownerTypes: { 'urn:li:ownershipType:7f': ['urn:li:corpuser:only-by-type'] },
  }),
  proposal(USED, 'schemaMetadata', schema('part', 'whole')),
  proposal(USED, 'upstreamLineage', { upstreams: [], fineGrainedLineages: [fine([field(USED, 'part')], [field(USED, 'whole')])] }),
  proposal(field(USED, 'part'), 'logicalParent', { parent: { destinationUrn: field(dataset('logical', 'model'), 'part') } }),
  proposal(USED, 'datasetUsageStatistics', {
    ...{ timestampMillis: 5, totalSqlQueries: 120 },
    userCounts: Array.from({ length: 120 }, (_, i) => ({ user: `urn:li:corpuser:user-${i}`, count: i })),
  }),
  proposal(TERM, 'glossaryTermInfo', {
    name: 'Term',
    definition: 'T.',
    termSource: 'INTERNAL',
    parentNode: 'urn:li:glossaryNode:undescribed',
  }),
  proposal(TERM, 'schemaMetadata', schema('of_term')),
  proposal(GUIDE, 'documentInfo', {
    title: 'Guide',
    contents: { text: 'G.' },
    parentDocument: { document: 'urn:li:document:undescribed' },
  }),
  proposal('urn:li:platformResource:1', 'platformResourceInfo', { resourceType: 'user', primaryKey: 'x' }),
]

export const SOURCES: Readonly<Record<string, () => object[]>> = {
  ...{ avro, features, runs, patches, bi, jobs, fields, others, relations, semantics, governance },
}
export const SHOWN = { KAFKA, NESTED, MODE, TARGET, JOB, LOADED, SCORED, FEATURE, NOTED, METRIC, MODEL, TERM, GUIDE, USED }
