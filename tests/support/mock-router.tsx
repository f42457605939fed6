import type { AnchorHTMLAttributes } from 'react'

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  to: string
  params?: Record<string, string | undefined>
  search?: unknown
}

/** Replaces the router's link in tests of one screen: an anchor with the address. A click does nothing. */
export function Link({ to, params = {}, search: _search, children, onClick, ...rest }: LinkProps) {
  return (
    <a
      href={to.replaceAll(/\$(\w*)/g, (name, param: string) => params[param || '_splat'] ?? name)}
      onClick={(event) => {
        event.preventDefault()
        onClick?.(event)
      }}
      {...rest}
    >
      {children}
    </a>
  )
}

export const useNavigate = () => () => Promise.resolve()
