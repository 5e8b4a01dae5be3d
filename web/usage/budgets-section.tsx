import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Budgets } from '#shared/contract/usage.ts'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { Button } from '#web/ui/button.tsx'
import { cn } from '#web/ui/class-names.ts'
import { Progress, Skeleton } from '#web/ui/marks.tsx'
import { SectionTitle } from '#web/ui/page.tsx'
import { BudgetDialog } from './budget-dialog.tsx'
import type { BudgetToSet } from './budget-dialog.tsx'
import { dollars } from './figures.ts'
import { budgetsQuery } from './queries.ts'
import styles from './usage.module.css'
import { useFold } from './use-fold.tsx'

/**
 * The monthly budgets and how much of them is used. When a budget is used up, the server refuses new requests to paid AI
 * providers.
 */
export function BudgetsSection() {
  const budgets = useQuery(budgetsQuery)
  const [setting, setSetting] = useState<BudgetToSet | null>(null)
  return (
    <section>
      <div className={styles.sectionHead}>
        <SectionTitle>Budgets this month</SectionTitle>
        <Button size="sm" variant="ghost" onClick={() => setSetting({ scope: 'person', person: '', dollars: null })}>
          Add for a person
        </Button>
      </div>
      {budgets.isLoadingError ? (
        <LoadFailed
          title="The budgets could not be loaded"
          error={budgets.error}
          onRetry={() => void budgets.refetch()}
        />
      ) : budgets.data ? (
        <List budgets={budgets.data} onSet={setSetting} />
      ) : (
        <Skeleton height="6rem" />
      )}
      <p className="text-muted-foreground text-meta mt-2">
        When a budget is used up, running work finishes and new work with a provider waits for the next month (UTC). The
        built-in models are free and remain available.
      </p>
      {setting ? <BudgetDialog budget={setting} onOpenChange={(open) => !open && setSetting(null)} /> : null}
    </section>
  )
}

function List({ budgets, onSet }: { budgets: Budgets; onSet: (budget: BudgetToSet) => void }) {
  const { installation, everyone, people } = budgets
  const { shown, more } = useFold(people, 'people')
  return (
    <>
      <ul className={styles.budgets}>
        <Row
          name="This installation"
          spent={installation.spent_usd}
          budget={installation.dollars}
          onSet={() => onSet({ scope: 'installation', dollars: installation.dollars })}
        />
        <Row
          name="Each person"
          spent={null}
          budget={everyone}
          onSet={() => onSet({ scope: 'everyone', dollars: everyone })}
        />
        {shown.map((person) => (
          <Row
            key={person.user_id}
            name={person.full_name || person.email}
            spent={person.spent_usd}
            budget={person.dollars ?? everyone}
            isOwn={person.dollars !== null}
            onSet={() => onSet({ scope: 'person', person: person.email, dollars: person.dollars })}
          />
        ))}
      </ul>
      {more}
    </>
  )
}

/** Returns a budget and its used part: '$1.20 of $5.00', '$1.20, no budget'; without `spent`: '$5.00' or 'No budget'. */
function budgetWords(spent: number | null, budget: number | null): string {
  if (budget === null) return spent === null ? 'No budget' : `${dollars(spent)}, no budget`
  return spent === null ? dollars(budget) : `${dollars(spent)} of ${dollars(budget)}`
}

function Row({
  name,
  spent,
  budget,
  isOwn = false,
  onSet,
}: {
  name: string
  spent: number | null
  budget: number | null
  /** True if the budget was set for this person. Otherwise the general budget for each person applies. */
  isOwn?: boolean
  onSet: () => void
}) {
  return (
    <li>
      <div>
        <b>{name}</b>
        <span className={cn(styles.amount, 'tabular-nums lining-nums')}>
          {budgetWords(spent, budget)}
          {isOwn ? <span className="text-muted-foreground"> own budget</span> : null}
        </span>
        {spent !== null && budget !== null ? (
          <Progress
            value={budget > 0 ? (spent / budget) * 100 : 100}
            label={`Spent by ${name}`}
            alarm={spent >= budget}
          />
        ) : null}
      </div>
      <Button size="sm" variant="ghost" aria-label={`Set the budget of ${name}`} onClick={onSet}>
        Set
      </Button>
    </li>
  )
}
