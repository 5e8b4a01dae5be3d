import { useState } from 'react'
import { modelName } from '#shared/contract/prompts.ts'
import type { UsageOverview } from '#shared/contract/usage.ts'
import { Button } from '#web/ui/button.tsx'
import { SectionTitle } from '#web/ui/page.tsx'
import { count, dollars } from './figures.ts'
import { PRICE_SOURCES, priceWords } from './price-words.ts'
import { PricesDialog } from './prices-dialog.tsx'
import styles from './usage.module.css'

/** Tokens and cost by model, with the applied price. */
export function ModelsTable({ usage }: { usage: UsageOverview | undefined }) {
  const [open, setOpen] = useState(false)
  return (
    <section>
      <div className={styles.sectionHead}>
        <SectionTitle>By model</SectionTitle>
        <Button size="sm" variant="ghost" onClick={() => setOpen(true)}>
          Prices
        </Button>
      </div>
      {usage?.models.length === 0 ? <p className="text-muted-foreground">Nothing in this period.</p> : null}
      {usage && usage.models.length > 0 ? (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Tokens</th>
              <th scope="col">Rate</th>
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {usage.models.map(({ price, tokens, cost_usd }) => (
              <tr key={price.model}>
                <th scope="row" className="min-w-28">
                  {modelName(price.model)}
                </th>
                <td>{count(tokens)}</td>
                <td>
                  {priceWords(price)}{' '}
                  <span className="text-muted-foreground whitespace-nowrap">{PRICE_SOURCES[price.source]}</span>
                </td>
                <td>{dollars(cost_usd)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td>{count(usage.period.tokens)}</td>
              <td colSpan={2}>{dollars(usage.period.cost_usd)}</td>
            </tr>
          </tfoot>
        </table>
      ) : null}
      <p className="text-muted-foreground text-meta mt-2">
        Prices are US dollars for a million tokens (1M), sent / received. Counts missing in a provider's response are
        estimated.
      </p>
      {open ? <PricesDialog onOpenChange={setOpen} /> : null}
    </section>
  )
}
