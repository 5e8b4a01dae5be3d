import { cva } from 'class-variance-authority'
import type { VariantProps } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './class-names.ts'

const button = cva('btn', {
  variants: {
    variant: {
      primary: 'btn-primary',
      outline: 'btn-outline',
      ghost: 'btn-ghost',
      danger: 'btn-danger',
      destructive: 'btn-destructive',
    },
    size: { md: '', sm: 'btn-sm' },
  },
  defaultVariants: { variant: 'outline', size: 'md' },
})

type ButtonProps = ComponentProps<'button'> & VariantProps<typeof button> & { asChild?: boolean }

/**
 * A button. Use one primary button a screen, and `destructive` only in confirmations. With `asChild`, the child (for
 * example a link) gets the style.
 */
export function Button({ variant, size, asChild = false, className, type, ...rest }: ButtonProps) {
  const Part = asChild ? Slot.Root : 'button'
  return (
    <Part
      {...rest}
      {...(asChild ? {} : { type: type ?? 'button' })}
      className={cn(button({ variant, size }), className)}
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
    <button type="button" {...rest} aria-label={label} className={cn('icon-btn', className)}>
      {children}
    </button>
  )
}
