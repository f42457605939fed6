/** jsdom has no top layer, so it hides popovers. This shows them in place. */
export function showPopoversInPlace(): void {
  HTMLElement.prototype.showPopover = function showInPlace() {
    this.style.display = 'block'
  }
}
