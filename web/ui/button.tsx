import { cva } from 'class-variance-authority'
import type { VariantProps } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import styles from './button.module.css'
import { cn } from './class-names.ts'

const button = cva(styles.button, {
  variants: {
    variant: {
      primary: styles.primary,
      outline: styles.outline,
      ghost: styles.ghost,
      danger: styles.danger,
      destructive: styles.destructive,
    },
    size: { md: '', sm: styles.small },
  },
  defaultVariants: { variant: 'outline', size: 'md' },
})

type ButtonProps = ComponentProps<'button'> & VariantProps<typeof button> & { asChild?: boolean }

/**
 * A button. A screen should have only one primary button. Use `destructive` only in confirmations. With `asChild`, the child
 * element (for example a link) gets the style of the button.
 */
export function Button({ variant, size, asChild = false, className, type, ...rest }: ButtonProps) {
  const Part = asChild ? Slot.Root : 'button'
  return (
    <Part
      {...rest}
      {...(asChild ? {} : { type: type ?? 'button' })}
      className={cn(button({ variant, size }), className)}
      data-slot="button"
      data-variant={variant ?? 'outline'}
      data-size={size ?? 'md'}
    />
  )
}

/** A button with an icon only. `label` is its accessible name. */
export function IconButton({
  label,
  children,
  className,
  ...rest
}: Omit<ComponentProps<'button'>, 'aria-label'> & { label: string; children: ReactNode }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      className={cn(styles.iconButton, className)}
      data-slot="icon-button"
    >
      {children}
    </button>
  )
}
