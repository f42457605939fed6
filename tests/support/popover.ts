/** jsdom has no top layer and hides what would stand in it: here it shows where it is. */
export function showPopoversInPlace(): void {
  HTMLElement.prototype.showPopover = function showInPlace() {
    this.style.display = 'block'
  }
}
