import { type Static, Type } from 'typebox'
import { Nullable, NullableString, OneOf } from '../../platform/core/schema-types.ts'
import { Translatable } from '../../platform/core/translatable.ts'
import { Job } from '../../platform/jobs/schema.ts'
import { DRIVER_NAMES } from './driver-packages.ts'

export const Driver = Type.Object(
  {
    name: OneOf(DRIVER_NAMES),
    label: Type.String({ description: 'The source it is for.' }),
    package: Type.String({ description: 'Its npm package.' }),
    version: Type.String({ description: 'The version this release of Tablinum was tested with.' }),
    megabytes: Type.Integer({ description: 'About how much it needs on the disk, with everything it depends on.' }),
    installed: Type.Boolean(),
    integration_types: Type.Array(Type.String(), { description: 'The types of integration that need it.' }),
    obstacle: NullableString('Why this server cannot install it; null if it can, or if it is installed.'),
    job: Nullable(Job),
    translatable: Nullable(Translatable),
  },
  {
    title: 'Driver',
    description: '`job` is its installation that is queued or running; `translatable` is `obstacle` as a template.',
  },
)
export type Driver = Static<typeof Driver>
