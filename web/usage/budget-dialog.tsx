import { useState } from 'react'
import { currentBudget } from '#shared/contract/usage.ts'
import { ApiError, messageOf } from '#web/lib/api.ts'
import { DollarField } from '#web/lib/dollar-field.tsx'
import { readDollars } from '#web/lib/dollars.ts'
import { useSaveTogether } from '#web/lib/save-together.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { useSetBudget } from './queries.ts'

export interface BudgetToSet {
  scope: 'installation' | 'everyone' | 'person'
  /** E-mail address of the person; '' if the user has to enter it. Only for the scope 'person'. */
  person?: string
  dollars: number | null
}

const ABOUT = {
  installation: 'Monthly limit for all people together.',
  everyone: 'Monthly limit for each person without an own budget.',
  person: 'Monthly limit for this person. It replaces the budget of each person.',
} as const

const LABELS = { dollars: 'US dollars a month' }
const amountText = (dollars: number | null) => (dollars === null ? 'No budget' : `$${dollars}`)

/** The dialog that sets a monthly budget in US dollars. An empty amount removes the budget. */
export function BudgetDialog({ budget, onOpenChange }: { budget: BudgetToSet; onOpenChange: (open: boolean) => void }) {
  const setting = useSetBudget()
  const together = useSaveTogether<{ dollars: number | null }>(LABELS, { text: amountText })
  const [person, setPerson] = useState(budget.person ?? '')
  const [typed, setTyped] = useState(budget.dollars === null ? '' : String(budget.dollars))
  const amount = readDollars(typed)
  const isComplete = (amount === null || amount >= 0) && (budget.scope !== 'person' || person.trim() !== '')
  // An unknown e-mail address is shown below its field.
  const isUnknown = setting.error instanceof ApiError && setting.error.status === 404
  // The dialog 'Changed in the meantime' asks about the other amount.
  const isStale = setting.error instanceof ApiError && setting.error.code === 'changed'
  const save = () =>
    whenDone(
      together.save({
        before: { dollars: budget.dollars },
        mine: { dollars: amount },
        // The API compares the amounts: budgets have no version.
        version: 0,
        send: async ({ before, mine }) => {
          await setting.mutateAsync({
            scope: budget.scope,
            ...(budget.scope === 'person' ? { person: person.trim() } : {}),
            dollars: mine.dollars,
            seen: before.dollars,
          })
          return mine
        },
        read: (current) => ({ values: currentBudget.parse(current), version: 0 }),
      }),
      {
        onSuccess: (saved) => {
          if (!saved) return
          toast({ title: saved.dollars === null ? 'Budget removed' : 'Budget saved' })
          onOpenChange(false)
        },
      },
    )
  return (
    <Dialog open onOpenChange={onOpenChange} title="Monthly budget" about={ABOUT[budget.scope]}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isComplete) save()
        }}
      >
        <div className="mt-4.5 grid gap-4">
          {budget.scope === 'person' ? (
            <Field label="E-mail" error={isUnknown ? messageOf(setting.error) : undefined}>
              {(ids) => (
                <Input
                  {...ids}
                  type="email"
                  value={person}
                  readOnly={Boolean(budget.person)}
                  onChange={({ target }) => setPerson(target.value)}
                />
              )}
            </Field>
          ) : null}
          <DollarField
            label="US dollars a month"
            hint="Leave it empty for no budget."
            error={setting.error && !isUnknown && !isStale ? messageOf(setting.error) : undefined}
            value={typed}
            onChange={setTyped}
          />
        </div>
        <DialogActions>
          <Button variant="ghost" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={!isComplete || setting.isPending}>
            {setting.isPending ? 'Saving...' : 'Save budget'}
          </Button>
        </DialogActions>
      </form>
      {together.dialog}
    </Dialog>
  )
}
