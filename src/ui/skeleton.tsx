/** Keeps the place for content that is loading, in its size, so that nothing jumps. */
export function Skeleton({ lines = 1, height = 'line' }: { lines?: number; height?: 'line' | 'row' | 'card' }) {
  const size = { line: 'h-4', row: 'h-row', card: 'h-32' }[height]
  return (
    <div aria-hidden="true" className="flex w-full flex-col gap-2">
      {Array.from({ length: lines }, (_, line) => (
        <div
          key={line}
          className={`animate-breathe rounded-md bg-sunken ${size} ${line === lines - 1 && lines > 1 ? 'w-2/3' : 'w-full'}`}
        />
      ))}
    </div>
  )
}
