import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { buttonClasses } from '#src/ui/button.tsx'

/** The page for every address that does not work. */
export function NotFoundScreen() {
  useEffect(() => {
    document.title = 'Not found · Lorgnette'
  }, [])
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-8 bg-paper px-6 py-12 text-center">
      {/* An empty reticle. */}
      <svg viewBox="0 0 240 240" className="size-56 max-w-full text-line-strong" fill="none" stroke="currentColor" aria-hidden="true">
        <circle cx="120" cy="120" r="104" strokeWidth="1.5" />
        <circle cx="120" cy="120" r="72" strokeWidth="1" strokeDasharray="2 6" />
        <path d="M120 4v72M120 164v72M4 120h72M164 120h72" strokeWidth="1.5" />
        <path d="M104 120h32M120 104v32" strokeWidth="1" opacity="0.5" />
        <g className="text-brass" strokeWidth="2.5">
          <path d="M120 4v14M120 222v14M4 120h14M222 120h14" />
        </g>
      </svg>
      <div>
        <p className="engraved">404</p>
        <h1 className="mt-1 text-2xl font-semibold">Oops! You&apos;ve ventured into the void.</h1>
      </div>
      <Link to="/" className={buttonClasses('primary', 'lg')}>
        Return to Safety
      </Link>
    </main>
  )
}
