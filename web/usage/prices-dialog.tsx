import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { modelName } from '#shared/contract/prompts.ts'
import { currentPrice, type ModelPrice } from '#shared/contract/usage.ts'
import { messageOf } from '#web/lib/api.ts'
import { DollarField } from '#web/lib/dollar-field.tsx'
import { readDollars } from '#web/lib/dollars.ts'
import { useSaveTogether } from '#web/lib/save-together.tsx'
import { LoadFailed } from '#web/lib/load-failed.tsx'
import { toast } from '#web/lib/toasts.tsx'
import { whenDone } from '#web/lib/when-done.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ActionsHead } from '#web/ui/data-table.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, Input } from '#web/ui/field.tsx'
import { priceWords } from './price-words.ts'
import { pricesQuery, useRemovePrice, useSetPrice } from './queries.ts'
import styles from './usage.module.css'

const EMPTY = { model: '', dollars_in: '', dollars_out: '', reprice: false }
type Price = Pick<ModelPrice, 'dollars_in' | 'dollars_out'>
const LABELS = { price: 'Price' }

/**
 * The dialog with the price of each model and its source. A price that is set in the dialog has priority over the list price.
 */
export function PricesDialog({ onOpenChange }: { onOpenChange: (open: boolean) => void }) {
  const prices = useQuery(pricesQuery)
  const setting = useSetPrice()
  const removing = useRemovePrice()
  const [fields, setFields] = useState(EMPTY)
  // The price that was set for the model when the user chose or typed its name; null without one.
  const [seen, setSeen] = useState<Price | null>(null)
  const together = useSaveTogether<{ price: Price | null }>(LABELS, {
    text: (price) => (price ? `$${price.dollars_in} / $${price.dollars_out}` : 'Not set'),
  })
  const patch = (change: Partial<typeof EMPTY>) => {
    setFields({ ...fields, ...change })
    if (change.model === undefined) return
    const named = change.model.trim().toLowerCase()
    const found = prices.data?.find(({ model, is_set }) => is_set && model === named)
    setSeen(found ? { dollars_in: found.dollars_in, dollars_out: found.dollars_out } : null)
  }
  const [dollarsIn, dollarsOut] = [
    readDollars(fields.dollars_in) ?? Number.NaN,
    readDollars(fields.dollars_out) ?? Number.NaN,
  ]
  const isComplete = fields.model.trim() !== '' && dollarsIn >= 0 && dollarsOut >= 0
  const failed = (error: Error) =>
    toast({ title: 'Failed to save the price', description: messageOf(error), destructive: true })
  const save = () =>
    whenDone(
      together.save({
        before: { price: seen },
        mine: { price: { dollars_in: dollarsIn, dollars_out: dollarsOut } },
        // The API compares the prices: they have no version.
        version: 0,
        send: async ({ before, mine }) => {
          // Without a price, the user accepts that another administrator removed it, so nothing is sent.
          if (mine.price)
            await setting.mutateAsync({
              model: fields.model,
              ...mine.price,
              reprice: fields.reprice,
              seen: before.price,
            })
          return mine
        },
        read: (current) => ({ values: currentPrice.parse(current), version: 0 }),
      }),
      {
        onSuccess: (saved) => {
          if (!saved) return
          toast({ title: saved.price ? `Price of ${fields.model} saved` : `Price of ${fields.model} removed` })
          setFields(EMPTY)
        },
        onError: failed,
      },
    )
  return (
    <Dialog
      open
      wide
      onOpenChange={onOpenChange}
      title="Prices"
      about="US dollars for a million tokens, sent / received. A price set here has priority over the list price and the default rate."
      locked={setting.isPending}
    >
      <div className="mt-4.5 grid grid-cols-[minmax(0,1fr)] gap-4">
        {prices.isLoadingError ? (
          <LoadFailed
            title="The prices could not be loaded"
            error={prices.error}
            onRetry={() => void prices.refetch()}
          />
        ) : (
          <div className="max-h-80 overflow-auto" tabIndex={0} role="region" aria-label="Prices of models">
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">Model</th>
                  <th scope="col">Price</th>
                  <ActionsHead />
                </tr>
              </thead>
              <tbody>
                {prices.data?.map((price) => (
                  <tr key={`${price.source} ${price.model}`}>
                    <th scope="row" className="min-w-28">
                      {modelName(price.model)}
                    </th>
                    <td>
                      <span className="md:whitespace-nowrap">{priceWords(price)}</span>{' '}
                      <span className="text-muted-foreground whitespace-nowrap">{price.is_set ? 'set here' : ''}</span>
                    </td>
                    <td className="whitespace-nowrap">
                      {price.source === 'free' ? null : (
                        <Button
                          size="sm"
                          variant="ghost"
                          aria-label={`Change the price of ${price.model}`}
                          onClick={() =>
                            patch({
                              model: price.model,
                              dollars_in: String(price.dollars_in),
                              dollars_out: String(price.dollars_out),
                            })
                          }
                        >
                          Change
                        </Button>
                      )}
                      {price.is_set ? (
                        <Button
                          size="sm"
                          variant="danger"
                          aria-label={`Remove the price of ${price.model}`}
                          disabled={removing.isPending}
                          onClick={() => whenDone(removing.mutateAsync(price.model), { onError: failed })}
                        >
                          Remove
                        </Button>
                      ) : null}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        <form
          className={styles.priceForm}
          onSubmit={(event) => {
            event.preventDefault()
            if (isComplete) save()
          }}
        >
          <Field label="Model">
            {(ids) => (
              <Input
                {...ids}
                value={fields.model}
                maxLength={200}
                onChange={({ target }) => patch({ model: target.value })}
              />
            )}
          </Field>
          <DollarField
            label="Sent, $ per 1M tokens"
            value={fields.dollars_in}
            onChange={(dollars_in) => patch({ dollars_in })}
          />
          <DollarField
            label="Received, $ per 1M tokens"
            value={fields.dollars_out}
            onChange={(dollars_out) => patch({ dollars_out })}
          />
          <Button type="submit" disabled={!isComplete || setting.isPending}>
            {setting.isPending ? 'Saving...' : 'Save price'}
          </Button>
          <label className="flex items-center gap-2 text-meta" htmlFor="price-reprice">
            <Checkbox id="price-reprice" checked={fields.reprice} onChange={(reprice) => patch({ reprice })} />
            Also apply this price to earlier calls
          </label>
        </form>
      </div>
      {together.dialog}
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}
