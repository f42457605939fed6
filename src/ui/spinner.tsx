/** Shows that work is under way. Give `label` when nothing else names it. */
export function Spinner({ size = 'md', label }: { size?: 'sm' | 'md' | 'lg'; label?: string }) {
  const box = size === 'sm' ? 'size-4' : size === 'md' ? 'size-6' : 'size-10'
  return (
    <span role={label ? 'status' : undefined} className="inline-flex items-center gap-3">
      <svg viewBox="0 0 24 24" className={`${box} animate-spin motion-reduce:animate-breathe`} fill="none" aria-hidden="true">
        <circle cx="12" cy="12" r="9" stroke="currentColor" strokeWidth="2.5" opacity="0.22" />
        <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
      </svg>
      {label && <span className="text-ink-2">{label}</span>}
    </span>
  )
}

/** The spinner in the middle of a page that is loading. */
export function PageSpinner({ label = 'Loading…' }: { label?: string }) {
  return (
    <div className="flex min-h-[40vh] items-center justify-center">
      <Spinner size="lg" label={label} />
    </div>
  )
}
