import { useMemo } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './class-names.ts'
import { coverPlan, randomFrom } from './cover-pattern.ts'
import type { CoverPlan } from './cover-pattern.ts'
import styles from './marks.module.css'

const sizes = { wide: [384, 104], tall: [144, 184], swatch: [28, 36] } as const

/** The box of a cover, which contains a generated pattern or an image. */
export const CoverFrame = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className={cn(styles.cover, className)} data-slot="cover" />
)

/** The box of a small cover, which is shown beside the name of a project. */
export const Swatch = ({ children }: { children: ReactNode }) => <span className={styles.swatch}>{children}</span>

/** The generated cover of a project, derived from its name. Decorative: screens also show the name as text. */
export function Cover({ name, shape = 'wide' }: { name: string; shape?: keyof typeof sizes }) {
  const [width, height] = sizes[shape]
  const drawn = useMemo(() => {
    const plan = coverPlan(name)
    return { cloth: plan.cloth, marks: draw(plan, width, height) }
  }, [name, width, height])
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="xMidYMid slice" aria-hidden focusable="false">
      <rect width={width} height={height} fill={`var(--cover-${drawn.cloth})`} />
      <g stroke={`var(--cover-${drawn.cloth}-thread)`} color={`var(--cover-${drawn.cloth}-thread)`} fill="none">
        {drawn.marks}
      </g>
    </svg>
  )
}

function draw(plan: CoverPlan, width: number, height: number): ReactNode[] {
  const random = randomFrom(plan.seed)
  if (plan.pattern === 'waves') return waves(random, width, height)
  if (plan.pattern === 'arcs') return arcs(random, width, height)
  return plan.pattern === 'dots' ? dots(random, width, height) : rules(random, width, height)
}

/** Draws horizontal lines that are bent by three long waves. */
function waves(random: () => number, width: number, height: number): ReactNode[] {
  const gap = Math.max(5.6, Math.min(11.2, height / 9))
  const bends = [0, 1, 2].map(() => ({
    at: random() * width,
    wide: width * (0.1 + random() * 0.16),
    tall: gap * (0.3 + random() * 0.7),
    turn: random() * 6.3,
  }))
  const lines: ReactNode[] = []
  for (let row = 0; row * gap < height + gap; row += 1) {
    const points: string[] = []
    for (let x = 0; x <= width + 6; x += 6) {
      const lift = bends.reduce(
        (sum, bend) => {
          const away = (x - bend.at) / bend.wide
          return sum + bend.tall * Math.exp(-away * away * 0.5) * Math.sin(away * 2.1 + bend.turn + row * 0.42)
        },
        Math.sin(x / (width * 0.16) + row * 0.5) * gap * 0.12,
      )
      points.push(`${x},${(row * gap + gap * 0.5 + lift).toFixed(1)}`)
    }
    lines.push(
      <polyline
        key={row}
        points={points.join(' ')}
        strokeWidth={row % 3 === 0 ? 1.5 : 1.1}
        opacity={0.45 + 0.17 * (row % 4)}
      />,
    )
  }
  return lines
}

/** Draws concentric rings around a corner, which fade with the distance. Every fourth ring is thicker. */
function arcs(random: () => number, width: number, height: number): ReactNode[] {
  const x = random() < 0.5 ? 0 : width
  const y = random() < 0.5 ? 0 : height
  const step = Math.max(4, height / (6.4 + random() * 1.6))
  const reach = Math.max(width, height) * 0.8
  const rings: ReactNode[] = []
  for (let ring = 1; ring * step < reach; ring += 1) {
    rings.push(
      <circle
        key={ring}
        cx={x}
        cy={y}
        r={(ring * step).toFixed(1)}
        strokeWidth={ring % 4 === 0 ? 1.6 : 0.9}
        opacity={Math.max(0.15, 1 - (ring * step) / reach)}
      />,
    )
  }
  return rings
}

/** Draws a grid of dots, which are larger near two points. */
function dots(random: () => number, width: number, height: number): ReactNode[] {
  const step = Math.max(6, Math.min(13, height / 7.5))
  const places = [0, 1].map((half) => ({
    x: width * (half * 0.5 + random() * 0.5),
    y: height * random(),
    wide: width * (0.14 + random() * 0.08),
  }))
  const marks: ReactNode[] = []
  for (let row = 0; row * step < height + step; row += 1) {
    for (let column = 0; column * step < width + step; column += 1) {
      const x = column * step + (row % 2 ? step / 2 : 0)
      const y = row * step + step / 2
      const swell = places.reduce((most, place) => {
        const away = Math.hypot((x - place.x) / place.wide, (y - place.y) / (height * 0.45))
        return Math.max(most, Math.exp(-away * away * 0.5))
      }, 0)
      marks.push(
        <circle
          key={`${row}-${column}`}
          cx={x.toFixed(1)}
          cy={y.toFixed(1)}
          r={(step * (0.045 + 0.22 * swell)).toFixed(2)}
          fill="currentColor"
          stroke="none"
          opacity={0.45 + 0.4 * swell}
        />,
      )
    }
  }
  return marks
}

/** Draws slanted lines of different widths. */
function rules(random: () => number, width: number, height: number): ReactNode[] {
  const step = Math.max(5, Math.min(9.5, height / 10))
  const lean = height * (0.3 + random() * 0.25)
  const turn = random() * 6.3
  const wave = width * (0.28 + random() * 0.2)
  const marks: ReactNode[] = []
  for (let x = -lean, rule = 0; x < width + lean; x += step, rule += 1) {
    const weight = 0.5 + 0.5 * Math.sin(x / (wave / 6.3) + turn)
    marks.push(
      <path
        key={rule}
        d={`M${x.toFixed(1)} ${height}L${(x + lean).toFixed(1)} 0`}
        strokeWidth={(0.7 + 3.2 * weight).toFixed(1)}
        opacity={(0.4 + 0.48 * weight).toFixed(2)}
      />,
    )
  }
  return marks
}
