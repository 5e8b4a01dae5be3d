import { useQuery } from '@tanstack/react-query'
import { BUILT_IN_MODEL, DEFAULT_MODEL, modelName } from '#shared/contract/prompts.ts'
import type { Prompt } from '#shared/contract/prompts.ts'
import { messageOf } from '#web/lib/api.ts'
import { useSite } from '#web/lib/site.ts'
import { Button } from '#web/ui/button.tsx'
import { Choice, Choices } from '#web/ui/choice.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { Badge, Skeleton } from '#web/ui/marks.tsx'
import { promptsQuery } from './queries.ts'

/** Radio group with the prompts of the prompt library and the model of each prompt. */
export function PromptChoices({
  value,
  onChange,
  disabled,
  brief = false,
}: {
  value: string | undefined
  onChange: (id: string) => void
  disabled: boolean
  /** True: shows only the names of the prompts, without descriptions and models. */
  brief?: boolean
}) {
  const prompts = useQuery(promptsQuery)
  const { chat_model } = useSite().ai
  const modelOf = ({ model }: Prompt) => (model === DEFAULT_MODEL.id ? chat_model : model)
  const isBuiltIn = (one: Prompt) => [BUILT_IN_MODEL.id, BUILT_IN_MODEL.name].some((name) => name === modelOf(one))
  return (
    <div>
      {prompts.isPending ? (
        <div className="grid gap-3" aria-busy>
          <Skeleton height="3.5rem" />
          <Skeleton height="3.5rem" />
        </div>
      ) : prompts.isLoadingError ? (
        <div className="flex items-center gap-3">
          <FieldError className="mt-0">{messageOf(prompts.error)}</FieldError>
          <Button size="sm" onClick={() => void prompts.refetch()}>
            Retry
          </Button>
        </div>
      ) : prompts.data.length === 0 ? (
        <p className="text-muted-foreground">The prompt library is empty. An administrator can add prompts.</p>
      ) : (
        <Choices label="Prompt" value={value} onChange={onChange} disabled={disabled}>
          {prompts.data.map((one) => (
            <Choice key={one.id} value={one.id} title={one.name} badge={one.default ? <Badge>Default</Badge> : null}>
              {brief ? null : (
                <>
                  {one.description}
                  <span className="block">{modelName(modelOf(one))}</span>
                </>
              )}
            </Choice>
          ))}
        </Choices>
      )}
      {prompts.data?.some(isBuiltIn) ? (
        <p className="text-muted-foreground text-meta mt-4">
          The built-in model quotes the paper; it does not follow the prompt’s wording.
        </p>
      ) : null}
    </div>
  )
}
