import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { api } from '#shared/contract/paths.ts'
import {
  BUDGET_ROLES,
  projectBudget,
  type ProjectBudget,
  type BudgetRole,
  type ProjectBudgetInput,
} from '#shared/contract/project-budgets.ts'
import type { Project } from '#shared/contract/projects.ts'
import { messageOf, one, request } from '#web/lib/api.ts'
import { DollarField } from '#web/lib/dollar-field.tsx'
import { readDollars } from '#web/lib/dollars.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { useSaveTogether } from '#web/lib/save-together.tsx'

type Name = 'project' | BudgetRole
/** The amounts in US dollars as the user typed them. '' means no budget. */
type Amounts = Record<Name, string>

const NAMES = ['project', ...BUDGET_ROLES] as const

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

const amountsOf = ({ dollars, roles }: ProjectBudget): Amounts => ({
  project: String(dollars ?? ''),
  reviewer: String(roles.reviewer ?? ''),
  editor: String(roles.editor ?? ''),
  resolver: String(roles.resolver ?? ''),
  owner: String(roles.owner ?? ''),
})

const inputOf = (amounts: Amounts, version: number): ProjectBudgetInput => ({
  dollars: readDollars(amounts.project),
  roles: {
    reviewer: readDollars(amounts.reviewer),
    editor: readDollars(amounts.editor),
    resolver: readDollars(amounts.resolver),
    owner: readDollars(amounts.owner),
  },
  version,
})

/**
 * The section 'Budget' in the settings of a project, for its owners. `save` stores the amounts that the user typed; an empty
 * amount removes the budget. If another owner changed an amount too, `dialog` asks which one to use, and `save` returns false
 * if the user cancels it. `isTyped`: the user typed an amount. `isWrong`: a typed text is not an amount, and cannot be saved.
 */
export function useBudgetSection(project: Project | undefined): {
  section: ReactNode
  dialog: ReactNode
  isTyped: boolean
  isWrong: boolean
  save: () => Promise<boolean>
} {
  const id = project?.id ?? ''
  const isShown = project?.may.includes('manage') ?? false
  const { data, error } = useQuery({ ...budgetQuery(id), enabled: isShown })
  const [typed, setTyped] = useState<Partial<Amounts>>({})
  // The budgets that the user saw when typing the first amount.
  const [seen, setSeen] = useState<ProjectBudget>()
  const together = useSaveTogether<Amounts>(LABELS, {
    text: (amount) => (amount === '' ? 'No budget' : `$${amount}`),
    path: (name) => (name === 'project' ? 'dollars' : `roles.${name}`),
  })
  const shown = data && { ...amountsOf(data), ...typed }
  const type = (name: Name, text: string) => {
    setSeen((before) => before ?? data)
    setTyped((before) => ({ ...before, [name]: text }))
  }
  const input = (name: Name) => (
    <DollarField
      key={name}
      label={LABELS[name]}
      className={name === 'project' ? 'col-span-full' : undefined}
      value={shown?.[name] ?? ''}
      onChange={(text) => type(name, text)}
    />
  )
  return {
    section: data ? (
      <fieldset className="grid grid-cols-1 gap-3">
        <legend className="font-medium">Budget</legend>
        <p className="text-muted-foreground text-meta">
          US dollars a month for AI models, for the whole project and for each member with a role. Leave an amount empty
          for no budget. This month: ${data.spent_usd.toFixed(2)}.
        </p>
        <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">{NAMES.map(input)}</div>
      </fieldset>
    ) : error ? (
      <p role="alert">{messageOf(error)}</p>
    ) : null,
    dialog: together.dialog,
    isTyped: seen !== undefined,
    isWrong: NAMES.some((name) => Number.isNaN(readDollars(typed[name] ?? ''))),
    save: async () => {
      if (!seen) return true
      const before = amountsOf(seen)
      const own = NAMES.filter(
        (name) => typed[name] !== undefined && readDollars(typed[name]) !== readDollars(before[name]),
      )
      if (own.length === 0) return true
      const saved = await together.save({
        before,
        mine: { ...before, ...Object.fromEntries(own.map((name) => [name, typed[name]])) },
        version: seen.version,
        send: ({ mine, version }) =>
          request(api.projectBudget(id), {
            method: 'PUT',
            body: inputOf(mine, version),
            schema: one(projectBudget),
          }),
        read: (current) => {
          const theirs = projectBudget.parse(current)
          return { values: amountsOf(theirs), version: theirs.version }
        },
      })
      if (saved) queryClient.setQueryData(budgetQuery(id).queryKey, saved)
      return saved !== null
    },
  }
}
