import { useState } from 'react'
import { modelName } from '#shared/contract/prompts.ts'
import type { UsageOverview } from '#shared/contract/usage.ts'
import { grouped } from '#shared/text/numbers.ts'
import { Button } from '#web/ui/button.tsx'
import { SectionTitle } from '#web/ui/page.tsx'
import { dollars } from './figures.ts'
import { FiguresTable } from './figures-table.tsx'
import { PRICE_SOURCES, priceWords } from './price-words.ts'
import { PricesDialog } from './prices-dialog.tsx'
import styles from './usage.module.css'

/** The table of tokens and cost by model, with the current price of each model. */
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
      <FiguresTable
        columns={['Model', 'Tokens', 'Rate', 'Cost']}
        rows={usage?.models.map(({ price, tokens, cost_usd }) => ({
          key: price.model,
          name: modelName(price.model),
          cells: [
            grouped(tokens),
            <>
              {priceWords(price)}{' '}
              <span className="text-muted-foreground whitespace-nowrap">{PRICE_SOURCES[price.source]}</span>
            </>,
            dollars(cost_usd),
          ],
        }))}
        foot={
          usage ? (
            <tr>
              <th scope="row">Total</th>
              <td>{grouped(usage.period.tokens)}</td>
              <td colSpan={2}>{dollars(usage.period.cost_usd)}</td>
            </tr>
          ) : null
        }
      />
      <p className="text-muted-foreground text-meta mt-2">
        Prices are US dollars for a million tokens (1M), sent / received. Counts missing in a provider's response are
        estimated.
      </p>
      {open ? <PricesDialog onOpenChange={setOpen} /> : null}
    </section>
  )
}
