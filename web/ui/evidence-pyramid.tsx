import { cn } from './class-names.ts'

/**
 * The evidence pyramid: five layers with the strongest study design at the top; the paper's layer is filled.
 * Decorative: show the level in words beside it.
 */
export function EvidencePyramid({ level, large = false }: { level: 1 | 2 | 3 | 4 | 5; large?: boolean }) {
  return (
    <span className={cn('pyr', `ev${level}`, large && 'pyr-lg')} aria-hidden>
      {[1, 2, 3, 4, 5].map((course) => (
        <i key={course} />
      ))}
    </span>
  )
}
