import type { MouseEvent, ReactNode } from 'react'

type LinkProps = {
  to: string
  params?: Record<string, string | undefined>
  children?: ReactNode
  className?: string
  role?: string
  'aria-label'?: string
  onClick?: (event: MouseEvent) => void
}

/** Stands in for the router's link in tests of one screen: an anchor with the address. A click goes nowhere. */
export function Link({ to, params = {}, children, className, role, 'aria-label': label, onClick }: LinkProps) {
  const href = to.replaceAll(/\$(\w*)/g, (name, param: string) => params[param || '_splat'] ?? name)
  return (
    <a
      href={href}
      className={className}
      role={role}
      aria-label={label}
      onClick={(event) => {
        event.preventDefault()
        onClick?.(event)
      }}
    >
      {children}
    </a>
  )
}

export const useNavigate = () => () => Promise.resolve()
