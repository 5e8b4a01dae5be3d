import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { api } from '#shared/contract/paths.ts'
import {
  BUDGET_ROLES,
  projectBudget,
  type BudgetRole,
  type ProjectBudgetInput,
} from '#shared/contract/project-budgets.ts'
import type { Project } from '#shared/contract/projects.ts'
import { messageOf, one, request } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { Field, Input } from '#web/ui/field.tsx'

type Name = 'project' | BudgetRole

const LABELS: Readonly<Record<Name, string>> = {
  project: 'Project',
  reviewer: 'Each reviewer',
  editor: 'Each editor',
  resolver: 'Each resolver',
  owner: 'Each owner',
}

const budgetQuery = (id: string) =>
  queryOptions({
    queryKey: ['project-budget', id],
    queryFn: ({ signal }) => request(api.projectBudget(id), { schema: one(projectBudget), signal }),
  })

/**
 * The section 'Budget' in the settings of a project, for its owners. `save` stores the typed amounts, if there are any; an
 * empty amount removes the budget.
 */
export function useBudgetSection(project: Project | undefined): { section: ReactNode; save: () => Promise<void> } {
  const id = project?.id ?? ''
  const isShown = project?.may.includes('manage') ?? false
  const { data, error } = useQuery({ ...budgetQuery(id), enabled: isShown })
  const [typed, setTyped] = useState<Partial<Record<Name, string>>>({})
  const amountOf = (name: Name): number | null => {
    const text = typed[name]
    if (text !== undefined) return text.trim() === '' ? null : Number(text)
    return (name === 'project' ? data?.dollars : data?.roles[name]) ?? null
  }
  const input = (name: Name) => (
    <Field key={name} label={LABELS[name]} className={name === 'project' ? 'col-span-full' : undefined}>
      {(ids) => (
        <Input
          {...ids}
          type="number"
          min={0}
          step="any"
          value={typed[name] ?? String(amountOf(name) ?? '')}
          onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
        />
      )}
    </Field>
  )
  return {
    section: data ? (
      <fieldset className="grid grid-cols-1 gap-3">
        <legend className="font-medium">Budget</legend>
        <p className="text-muted-foreground text-meta">
          US dollars a month for AI models, for the whole project and for each member with a role. Leave an amount empty
          for no budget. This month: ${data.spent_usd.toFixed(2)}.
        </p>
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {(['project', ...BUDGET_ROLES] as const).map(input)}
        </div>
      </fieldset>
    ) : error ? (
      <p role="alert">{messageOf(error)}</p>
    ) : null,
    save: async () => {
      if (Object.keys(typed).length === 0) return
      const body: ProjectBudgetInput = {
        dollars: amountOf('project'),
        roles: {
          reviewer: amountOf('reviewer'),
          editor: amountOf('editor'),
          resolver: amountOf('resolver'),
          owner: amountOf('owner'),
        },
      }
      const saved = await request(api.projectBudget(id), { method: 'PUT', body, schema: one(projectBudget) })
      queryClient.setQueryData(budgetQuery(id).queryKey, saved)
    },
  }
}
