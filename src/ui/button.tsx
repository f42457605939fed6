import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Spinner } from './spinner.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'

export type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & {
  variant?: ButtonVariant
  size?: 'md' | 'lg'
  /** Shows that the work is under way. The button stays focusable, and ignores presses. */
  busy?: boolean
  icon?: ReactNode
  /** As wide as its container. */
  wide?: boolean
  ref?: Ref<HTMLButtonElement>
}

const looks: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-accent-ink hover:bg-accent-hover border-transparent font-semibold',
  secondary: 'bg-surface text-ink border-line-strong hover:bg-hover font-medium',
  quiet: 'bg-transparent text-ink border-transparent hover:bg-hover font-medium',
  danger: 'bg-bad-solid text-bad-solid-ink border-transparent hover:brightness-110 font-semibold',
}

/** The classes of a button, for links that look like one. */
export function buttonClasses(variant: ButtonVariant = 'secondary', size: 'md' | 'lg' = 'md', wide = false): string {
  return [
    'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-md border select-none whitespace-nowrap transition-colors',
    'disabled:border-line disabled:bg-sunken disabled:text-ink-3 disabled:hover:brightness-100',
    size === 'lg' ? 'min-h-tall px-6 text-lg' : 'min-h-target px-4 text-base',
    wide ? 'w-full' : '',
    looks[variant],
    // A button that refuses presses for a while stays focusable, and looks disabled. A busy one keeps its color.
    'aria-disabled:not-aria-busy:border-line aria-disabled:not-aria-busy:bg-sunken aria-disabled:not-aria-busy:text-ink-3',
  ].join(' ')
}

/** The one button. `primary` is the main action of a screen: at most one in view. */
export function Button({
  variant = 'secondary',
  size = 'md',
  busy = false,
  icon,
  wide = false,
  type = 'button',
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={(event) => {
        // A disabled button would lose the focus during the work, so a busy one only refuses.
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
      className={buttonClasses(variant, size, wide)}
    >
      {busy ? <Spinner size="sm" /> : icon}
      {children}
    </button>
  )
}
