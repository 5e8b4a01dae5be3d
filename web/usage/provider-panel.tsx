import { Download } from 'lucide-react'
import { api } from '#shared/contract/paths.ts'
import type { UsageOverview } from '#shared/contract/usage.ts'
import { grouped } from '#shared/text/numbers.ts'
import { counted } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/dropdown-menu.tsx'
import { SectionTitle } from '#web/ui/page.tsx'
import { Select } from '#web/ui/select.tsx'
import { Figure, Figures } from '#web/ui/figures.tsx'
import { BudgetsSection } from './budgets-section.tsx'
import { purposeColour, purposeName } from './chart-data.ts'
import { Share } from './share.tsx'
import { dollars, longDay, roundedDollars } from './figures.ts'
import { ModelsTable } from './models-table.tsx'
import { PeopleTable } from './people-table.tsx'
import { PERIODS } from './periods.ts'
import type { PeriodName } from './periods.ts'
import { UsageChart } from './usage-chart.tsx'
import styles from './usage.module.css'

/**
 * The exportable CSV files. Excel recognizes UTF-8 only with a byte order mark (`bom`), but other programs may display the
 * mark.
 */
const EXPORTS = [
  { label: 'Daily figures', rows: 'days' },
  { label: 'Every call', rows: 'calls' },
  { label: 'Daily figures for Excel', rows: 'days', bom: '1' },
  { label: 'Every call for Excel', rows: 'calls', bom: '1' },
] as const

/** The usage of AI models: in total, and for the selected period by day, purpose, model and person. */
export function ProviderPanel({
  usage,
  period,
  onPeriod,
}: {
  usage: UsageOverview | undefined
  period: PeriodName
  onPeriod: (period: PeriodName) => void
}) {
  const total = usage?.total
  const part = usage && total && total.tokens > 0 ? Math.round((usage.period.tokens / total.tokens) * 100) : 0
  const most = Math.max(0, ...(usage?.purposes.map(({ tokens }) => tokens) ?? []))
  return (
    <>
      <Figures>
        <Figure
          label="Total tokens"
          value={total && grouped(total.tokens)}
          about={total?.since ? `Since ${longDay(total.since)}` : 'No model has been called yet'}
        />
        <Figure
          label="Estimated cost"
          value={total && roundedDollars(total.cost_usd)}
          about={total ? `${roundedDollars(total.default_cost_usd)} at 0.0001 dollars a token` : null}
        />
        <Figure
          label={PERIODS[period]}
          value={usage && grouped(usage.period.tokens)}
          about={`${part}% of all tokens`}
        />
        <Figure
          label="Cost a document"
          value={
            total && (total.documents_analyzed > 0 ? roundedDollars(total.cost_usd / total.documents_analyzed) : '—')
          }
          about={total ? `${counted(total.documents_analyzed, 'document')} analyzed` : null}
        />
      </Figures>
      <div className="mt-5 flex flex-wrap justify-between gap-2">
        <Select
          compact
          aria-label="Period"
          value={period}
          onChange={(next) => onPeriod(next as PeriodName)}
          options={Object.entries(PERIODS).map(([value, label]) => ({ value, label }))}
        />
        <Menu
          trigger={
            <Button size="sm">
              <Download aria-hidden />
              Export CSV
            </Button>
          }
        >
          {EXPORTS.map(({ label, ...kind }) => (
            <MenuItem key={label} asChild>
              <a
                href={api.adminUsageExport({ ...kind, ...(usage ? { from: usage.from, to: usage.to } : {}) })}
                download
              >
                {label}
              </a>
            </MenuItem>
          ))}
        </Menu>
      </div>
      <UsageChart usage={usage} />
      <div className={styles.columns}>
        <section>
          <SectionTitle>By purpose</SectionTitle>
          {usage?.purposes.length === 0 ? <p className="text-muted-foreground">Nothing in this period.</p> : null}
          <dl className="grid grid-cols-[fit-content(9rem)_minmax(2rem,1fr)_max-content_max-content] gap-x-3" data-more>
            {usage?.purposes.map(({ purpose, tokens, cost_usd }) => (
              <Share
                key={purpose}
                label={purposeName(purpose)}
                value={tokens}
                most={most}
                colour={purposeColour(purpose)}
                words={grouped(tokens)}
                more={dollars(cost_usd)}
              />
            ))}
          </dl>
        </section>
        <ModelsTable usage={usage} />
      </div>
      <div className={styles.columns}>
        <PeopleTable usage={usage} />
        <BudgetsSection />
      </div>
    </>
  )
}
