import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { DEFAULT_MODEL, modelName } from '#shared/contract/prompts.ts'
import { useErrorToast } from '#web/lib/use-error-toast.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Select } from '#web/ui/select.tsx'
import { modelsQuery } from './queries.ts'

/** The select for a model. A selected model that the server does not offer any more stays in the list. */
export function ModelField({ value, onChange }: { value: string; onChange: (model: string) => void }) {
  const models = useQuery(modelsQuery)
  const missing = models.data?.error
  const failed = useMemo(() => models.error ?? (missing ? new Error(missing) : null), [models.error, missing])
  useErrorToast('Error loading models', failed)
  const known = [DEFAULT_MODEL, ...(models.data?.data ?? [])].map(({ id, name }) => ({ value: id, label: name }))
  const options =
    value && known.every((one) => one.value !== value) ? [...known, { value, label: modelName(value) }] : known
  return (
    <Field
      label="Model"
      error={failed ? `Error loading models: ${failed.message}` : undefined}
      aside={
        failed ? (
          <Button size="sm" variant="ghost" onClick={() => void models.refetch()}>
            Retry
          </Button>
        ) : null
      }
    >
      {(ids) => (
        <Select
          {...ids}
          value={value || undefined}
          onChange={onChange}
          options={options}
          placeholder="Choose a model"
        />
      )}
    </Field>
  )
}
