"""A minimal WebKitGTK browser that keeps its profile. MiniBrowser drops its data when a driver controls it."""

import os
import sys
import time

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gdk, Gtk, WebKit2

if sys.argv[1:] == ["--version"]:
    print(f"{WebKit2.get_major_version()}.{WebKit2.get_minor_version()}.{WebKit2.get_micro_version()}")
    sys.exit()

[profile] = sys.argv[1:]
data = WebKit2.WebsiteDataManager(
    base_data_directory=os.path.join(profile, "data"),
    base_cache_directory=os.path.join(profile, "cache"),
)
# Safari on an iPad has this on.
data.set_itp_enabled(True)
context = WebKit2.WebContext(website_data_manager=data)
context.set_automation_allowed(True)


# Time between two keys of a Bluetooth wedge scanner, ms.
KEY_GAP = 9
# From the Enter of one label to the first key of the next, ms.
LABEL_GAP = 15
scanner_free_at = 0


def press(view, kind, character, at):
    key = Gdk.KEY_Return if character == "\r" else Gdk.unicode_to_keyval(ord(character))
    _, places = Gdk.Keymap.get_for_display(view.get_display()).get_entries_for_keyval(key)
    event = Gdk.Event.new(kind)
    event.window = view.get_window()
    event.send_event = True
    event.time = at
    event.keyval = key
    event.hardware_keycode = places[0].keycode if places else 0
    event.set_device(view.get_display().get_default_seat().get_keyboard())
    Gtk.main_do_event(event)


def scan(view, code):
    """Sends all keys at once, each with the time of a scanner, so a busy machine does not turn a scan into typing."""
    global scanner_free_at
    at = max(int(time.monotonic() * 1000) - KEY_GAP * len(code), scanner_free_at)
    scanner_free_at = at + KEY_GAP * len(code) + LABEL_GAP
    for number, character in enumerate(code + "\r"):
        press(view, Gdk.EventType.KEY_PRESS, character, at + KEY_GAP * number)
        press(view, Gdk.EventType.KEY_RELEASE, character, at + KEY_GAP * number + KEY_GAP // 2)


def open_view(_session):
    scripts = WebKit2.UserContentManager()
    view = WebKit2.WebView(web_context=context, user_content_manager=scripts, is_controlled_by_automation=True)
    scripts.connect("script-message-received::scanner", lambda _, told: scan(view, told.get_js_value().to_string()))
    scripts.register_script_message_handler("scanner")
    window = Gtk.Window(default_width=1024, default_height=768)
    window.add(view)
    window.show_all()
    return view


def begin(_context, session):
    session.connect("create-web-view", open_view)


context.connect("automation-started", begin)
Gtk.main()
