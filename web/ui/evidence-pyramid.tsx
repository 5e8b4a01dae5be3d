import { cn } from './class-names.ts'

/** Five courses, the strongest design at the top; the paper's own is inked. Always stands beside the level in words. */
export function EvidencePyramid({ level, large = false }: { level: 1 | 2 | 3 | 4 | 5; large?: boolean }) {
  return (
    <span className={cn('pyr', `ev${level}`, large && 'pyr-lg')} aria-hidden>
      {[1, 2, 3, 4, 5].map((course) => (
        <i key={course} />
      ))}
    </span>
  )
}
