import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Tooltip } from './tooltip.tsx'

export type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'aria-label'> & {
  /** Its action: the name for a screen reader and the tooltip. */
  label: string
  icon: ReactNode
  /** Set for a button that stays pressed. */
  pressed?: boolean
  tooltip?: string | false
  tone?: 'plain' | 'bad'
  ref?: Ref<HTMLButtonElement>
}

/** A square with one icon and a name: 48 px wide by touch, 32 by mouse. */
export function IconButton({ label, icon, pressed, tooltip, tone = 'plain', type = 'button', ...rest }: IconButtonProps) {
  const button = (
    <button
      {...rest}
      type={type}
      aria-label={label}
      aria-pressed={pressed}
      className={`inline-flex size-target shrink-0 items-center justify-center rounded-md transition-colors hover:bg-hover disabled:text-ink-3 disabled:opacity-60 ${
        pressed ? 'bg-accent-soft text-accent-text' : tone === 'bad' ? 'text-bad' : 'text-ink-2 hover:text-ink'
      }`}
    >
      {icon}
    </button>
  )
  return tooltip === false ? button : <Tooltip text={tooltip ?? label}>{button}</Tooltip>
}
