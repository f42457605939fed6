import { renderToStaticMarkup } from 'react-dom/server'
import { SearchPanel } from '#src/features/patients/components/search-panel.tsx'
import { ShellFrame } from '#src/features/shell/components/shell-frame.tsx'

/** The first desk as it stands in the page itself, which shows it while the code that answers is on its way (see `printed-panel.ts`). */
export function printDesk(): string {
  const source = { shelf: null, status: 'opening', turn: 0, isOffline: false } as const
  const nothing = () => undefined
  return renderToStaticMarkup(
    <div data-printed>
      <ShellFrame expanded>
        <SearchPanel
          source={source}
          today=""
          Link={() => null}
          MoreFields={null}
          onSearch={nothing}
          actions={<span aria-hidden className="h-12 w-36" />}
        />
      </ShellFrame>
    </div>,
  )
}
