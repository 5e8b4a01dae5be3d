import { cn } from './class-names.ts'
import styles from './marks.module.css'

const LEVELS = [styles.level1, styles.level2, styles.level3, styles.level4, styles.level5]

/**
 * An icon of the evidence pyramid with five layers. The top layer is level 1, the strongest study designs; the layer of `level`
 * is filled. It is hidden from screen readers, so show the level also as text.
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
