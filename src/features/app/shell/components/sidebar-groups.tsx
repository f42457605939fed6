import { lazy, Suspense, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { currentEntry } from '#src/features/app/shell/model/navigation.ts'
import { GroupPages, type SidebarGroupsProps } from './group-pages.tsx'

export type SidebarPlace = {
  pathname: string
  linesAbove?: number
}

/** Without this part, the list scrolls. */
const CrowdedGroups = lazy(() =>
  import('./crowded-groups.tsx').then(
    (crowded) => ({ default: crowded.CrowdedGroups }),
    () => ({ default: AllGroups }),
  ),
)

/**
 * The pages in their groups. While all of them fit into the frame, all are in view. Otherwise one group is open at a
 * time, and without words a group is a menu.
 */
export function SidebarGroups({ pathname, linesAbove = 0, ...rest }: Omit<SidebarGroupsProps, 'current'> & SidebarPlace) {
  const props = { ...rest, current: currentEntry(pathname, rest.groups) }
  const { groups, expanded } = props
  const titles = expanded ? groups.filter(({ title }) => title !== null).length : 0
  const list = useRef<HTMLDivElement>(null)
  const fits = useFits(
    list,
    groups.reduce((sum, { items }) => sum + items.length, titles + linesAbove),
  )
  return (
    <div ref={list}>
      {fits ? (
        <AllGroups {...props} />
      ) : (
        <Suspense>
          <CrowdedGroups {...props} />
        </Suspense>
      )}
    </div>
  )
}

function AllGroups({ groups, ...props }: SidebarGroupsProps) {
  return groups.map((group) => (
    <div key={group.title ?? group.items[0]?.url}>
      {group.title && props.expanded && <p className="px-4 pt-3 pb-1 engraved">{group.title}</p>}
      <GroupPages {...props} group={group} />
    </div>
  ))
}

/** Whether so many lines fit into the frame of the list, which scrolls. Without a layout, as in a test, they do. */
function useFits(list: RefObject<HTMLElement | null>, lines: number): boolean {
  const [fits, setFits] = useState(true)
  useLayoutEffect(() => {
    const shown = list.current?.parentElement
    if (!shown) return
    const measure = () => {
      // 1 rem of space above and below.
      const line = shown.querySelector('li')?.offsetHeight
      if (line) setFits(lines * line + 16 <= shown.clientHeight)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(shown)
    return () => observer.disconnect()
  }, [list, lines])
  return fits
}
