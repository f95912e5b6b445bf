import { Type } from 'typebox'
import { Nullable, NullableString, OneOf } from '../../platform/core/schema-types.ts'

/** Wire types of schedules that are daily or weekly. */
const CADENCES = ['daily', 'weekly'] as const

/** `description`: what it means that there is none. */
export const DailyOrWeekly = (description: string) =>
  Nullable(
    Type.Object(
      {
        cadence: OneOf(CADENCES),
        hour: Type.Integer(),
        day: Nullable(Type.Integer({ description: 'Day of the week, 0 is Sunday; of weekly schedules.' })),
        frequency: Type.Integer({ description: 'Hours between runs.' }),
        timezone: NullableString('Null: UTC.'),
      },
      { description },
    ),
  )

export const DAILY_OR_WEEKLY_FIELDS = {
  cadence: OneOf(CADENCES),
  hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23, default: 0 })),
  day: Type.Optional(Type.Integer({ minimum: 0, maximum: 6, default: 0, description: 'Day of the week, 0 is Sunday.' })),
  timezone: Type.Optional(Type.String({ maxLength: 100, description: 'IANA time zone. Default: UTC.' })),
}
