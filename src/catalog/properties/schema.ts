import { type Static, Type } from 'typebox'
import { Id, IdInput, Nullable, OneOf, Timestamp } from '../../platform/core/schema-types.ts'
import { ENTITY_TYPES } from '../entity-types/entity-types.ts'
import { MAX_TEXT_LENGTH, VALUE_TYPES } from './value-types.ts'

const ID = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'
const EntityType = OneOf(['all', ...ENTITY_TYPES])

const MAX_NAME_LENGTH = 255
const MAX_OPTIONS = 500

const Name = Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, description: 'Unique, case-insensitive. Must not be a UUID.' })
const ValueTypeSchema = OneOf(VALUE_TYPES, 'The type of its values.')
const EntityTypes = Type.Array(EntityType, {
  maxItems: 100,
  description: 'The entity types it applies to. `all`, an empty list or no list means every type.',
})
const Options = Type.Array(Type.String({ minLength: 1, maxLength: MAX_TEXT_LENGTH }), {
  maxItems: MAX_OPTIONS,
  description: 'The allowed values of a `select` or `multi_select`, in display order. Null or an empty list allows any text.',
})

export const CustomProperty = Type.Object(
  {
    id: Id(),
    created_at: Timestamp,
    updated_at: Timestamp,
    name: Name,
    value_type: ValueTypeSchema,
    entity_types: Type.Array(EntityType, { description: 'The entity types it applies to. `all` means every type.' }),
    options: Nullable(Options),
  },
  { title: 'CustomProperty' },
)
export type CustomProperty = Static<typeof CustomProperty>

export const PropertyCreate = Type.Object(
  {
    name: Name,
    value_type: ValueTypeSchema,
    entity_types: Type.Optional(Nullable(EntityTypes)),
    options: Type.Optional(Nullable(Options)),
  },
  {
    title: 'CustomPropertyCreate',
    examples: [
      { name: 'Tier', value_type: 'select', entity_types: ['table', 'dashboard'], options: ['gold', 'silver', 'bronze'] },
      { name: 'Cost centre', value_type: 'string', entity_types: ['all'] },
    ],
  },
)
export type PropertyCreate = Static<typeof PropertyCreate>

export const PropertyEdit = Type.Object(
  {
    name: Type.Optional(Name),
    value_type: Type.Optional(ValueTypeSchema),
    entity_types: Type.Optional(Nullable(EntityTypes)),
    options: Type.Optional(Nullable(Options)),
  },
  { title: 'CustomPropertyEdit', examples: [{ name: 'Data tier' }] },
)
export type PropertyEdit = Static<typeof PropertyEdit>

export const PropertyValue = Type.Object(
  {
    custom_property: Id('ID of the custom property.'),
    entity_id: Id('ID of the resource.'),
    name: Type.String({ description: 'The name of the custom property.' }),
    value_type: ValueTypeSchema,
    value: Type.String({ description: 'The value in the normal form of its type.' }),
    updated_at: Timestamp,
  },
  { title: 'CustomPropertyValue' },
)
export type PropertyValue = Static<typeof PropertyValue>

const Value = Type.String({ maxLength: 20_000, description: 'An empty string deletes the value.' })
export const ValueBody = Type.Object({ value: Value }, { title: 'CustomPropertyValueBody', examples: [{ value: 'gold' }] })

export const MAX_ENTITIES = 10_000
export const MAX_PROPERTIES = 100
export const MAX_VALUES = 50_000
export const BulkValues = Type.Object(
  {
    entity_ids: Type.Array(IdInput, { description: `At most ${MAX_ENTITIES} resources.` }),
    properties: Type.Record(Type.String(), Value, {
      description: `Values by property ID or name. Names may be URL-encoded. At most ${MAX_PROPERTIES} properties.`,
    }),
  },
  {
    title: 'BulkCustomPropertyValues',
    description: `At most ${MAX_VALUES} values in total.`,
    examples: [{ entity_ids: [ID], properties: { Tier: 'gold', 'Cost%20centre': '' } }],
  },
)
export type BulkValues = Static<typeof BulkValues>

// Accepts a name instead of an ID.
export const PropertyParams = Type.Object({
  custom_property_id: Type.String({ description: 'The ID or URL-encoded name of a custom property.' }),
})
export const ValueParams = Type.Object({ ...PropertyParams.properties, entity_id: Id() })
