import { useInfiniteQuery } from '@tanstack/react-query'
import { t } from '../i18n/messages.ts'
import { Field, Select } from '../ui/field.tsx'
import { BUILT_IN_TEMPLATES } from './built-in-templates.ts'
import { documentListQuery, type NewDocument } from './queries.ts'

/** What a new document starts with. */
export interface ChosenTemplate extends NewDocument {
  /** The value of the choice. */
  readonly key: string
  readonly description?: string
}

/** Chooses a template: a document of the workspace that is marked as one, or one that every workspace has. */
export const TemplateChoice = ({ value, onChoose }: { value: string; onChoose: (template: ChosenTemplate | undefined) => void }) => {
  const { data } = useInfiniteQuery(documentListQuery({ entity_type: 'document', templates: true }))
  const own = (data?.pages.flatMap(({ results }) => results) ?? []).map(
    ({ id, title, description }): ChosenTemplate => ({ key: id, title, description: description ?? undefined, template: id }),
  )
  const all: readonly ChosenTemplate[] = [...own, ...BUILT_IN_TEMPLATES]
  return (
    <Field label={t('Template')} hint={all.find(({ key }) => key === value)?.description}>
      {(props) => (
        <Select {...props} value={value} onChange={({ target }) => onChoose(all.find(({ key }) => key === target.value))}>
          <option value="">{t('Blank document')}</option>
          {own.length > 0 && (
            <optgroup label={t('Your templates')}>
              {own.map(({ key, title }) => (
                <option key={key} value={key}>
                  {title}
                </option>
              ))}
            </optgroup>
          )}
          <optgroup label={t('Built-in templates')}>
            {BUILT_IN_TEMPLATES.map(({ key, title }) => (
              <option key={key} value={key}>
                {title}
              </option>
            ))}
          </optgroup>
        </Select>
      )}
    </Field>
  )
}
