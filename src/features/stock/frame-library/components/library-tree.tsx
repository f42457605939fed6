import { ChevronDown, ChevronRight, Pencil } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import type { VendorBranch } from '#contract/library/frame-library.ts'
import { formatCount } from '#src/ui/format.ts'
import { IconButton } from '#src/ui/icon-button.tsx'

/** A tree of vendors and their brands. The arrow keys move through it; Left and Right close and open a vendor. */
export function LibraryTree({
  vendors,
  brandId,
  allOpen,
  onBrand,
  onVendor,
}: {
  vendors: readonly VendorBranch[]
  brandId: number | null
  /** Opens every branch, so that a search shows its results. */
  allOpen: boolean
  onBrand: (brandId: number) => void
  /** Changes a vendor. Null when the user may not. */
  onVendor: ((vendor: VendorBranch) => void) | null
}) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set())
  const isOpen = ({ vendor_id, brands }: VendorBranch) =>
    !closed.has(vendor_id) && (allOpen || opened.has(vendor_id) || brands.some((brand) => brand.brand_id === brandId))

  function toggle(vendor: VendorBranch, open: boolean) {
    const [to, from] = open ? [setOpened, setClosed] : [setClosed, setOpened]
    to((before) => new Set([...before, vendor.vendor_id]))
    from((before) => new Set([...before].filter((id) => id !== vendor.vendor_id)))
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-line]')]
    const at = lines.findIndex((line) => line === document.activeElement)
    if (at === -1) return
    const line = lines[at]
    const vendor = vendors.find(({ vendor_id }) => String(vendor_id) === line?.dataset['vendor'])
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 }[event.key]
    if (next !== undefined) lines[Math.max(0, Math.min(lines.length - 1, next))]?.focus()
    else if (event.key === 'ArrowRight' && vendor) toggle(vendor, true)
    else if (event.key === 'ArrowLeft' && vendor) toggle(vendor, false)
    else return
    event.preventDefault()
  }
  return (
    // The keys only move the focus between the buttons.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <nav aria-label="Vendors and brands" onKeyDown={onKeyDown} className="overflow-y-auto rounded-lg border border-line bg-surface">
      <ul className="divide-y divide-line">
        {vendors.map((vendor) => {
          const open = isOpen(vendor)
          return (
            <li key={vendor.vendor_id}>
              <div className="flex items-center">
                <button
                  type="button"
                  data-line
                  data-vendor={vendor.vendor_id}
                  aria-expanded={open}
                  className="flex min-h-row min-w-0 flex-1 items-center gap-2 px-3 text-left font-medium hover:bg-hover focus-visible:-outline-offset-2"
                  onClick={() => toggle(vendor, !open)}
                >
                  {open ? <ChevronDown size={18} aria-hidden /> : <ChevronRight size={18} aria-hidden />}
                  <span className="min-w-0 truncate">{vendor.name}</span>
                </button>
                {onVendor && (
                  <IconButton label={`Edit ${vendor.name}`} icon={<Pencil size={16} aria-hidden />} onClick={() => onVendor(vendor)} />
                )}
              </div>
              {open && (
                <ul className="pb-1">
                  {vendor.brands.map(({ brand_id, name, products }) => (
                    <li key={brand_id}>
                      <button
                        type="button"
                        data-line
                        aria-current={brand_id === brandId || undefined}
                        className="flex min-h-row w-full items-center justify-between gap-3 pr-3 pl-9 text-left hover:bg-hover focus-visible:-outline-offset-2 aria-[current]:bg-accent-soft aria-[current]:font-semibold"
                        onClick={() => onBrand(brand_id)}
                      >
                        <span className="min-w-0 truncate">{name}</span>
                        <span className="figures text-sm text-ink-2">
                          {formatCount(products)}
                          <span className="sr-only"> {products === 1 ? 'product' : 'products'}</span>
                        </span>
                      </button>
                    </li>
                  ))}
                  {vendor.brands.length === 0 && <li className="px-9 py-2 text-sm text-ink-2">No brands yet</li>}
                </ul>
              )}
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
