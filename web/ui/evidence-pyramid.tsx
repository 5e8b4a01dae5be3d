import { cn } from './class-names.ts'
import styles from './marks.module.css'

const LEVELS = [styles.level1, styles.level2, styles.level3, styles.level4, styles.level5]

/**
 * The evidence pyramid: five layers with the strongest study design at the top; the paper's layer is filled.
 * Decorative: show the level in words beside it.
 */
export function EvidencePyramid({ level, large = false }: { level: 1 | 2 | 3 | 4 | 5; large?: boolean }) {
  return (
    <span className={cn(styles.pyramid, LEVELS[level - 1], large && styles.pyramidLarge)} aria-hidden>
      {[1, 2, 3, 4, 5].map((course) => (
        <i key={course} />
      ))}
    </span>
  )
}
