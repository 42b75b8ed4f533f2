// Offers to reload when a new build is there, and shows what the compilers said
// when one failed. It never reloads by itself: a recording may be running.
"use strict";
(() => {
  let first;
  let box;

  function close() {
    box?.remove();
    box = undefined;
  }

  function show(role, heading, detail, action) {
    close();
    box = document.createElement("section");
    box.setAttribute("role", role);
    box.setAttribute("aria-label", heading);
    // Styles are set from here because the page's policy allows no inline ones.
    Object.assign(box.style, {
      position: "fixed", insetInline: "1rem", bottom: "1rem", zIndex: "2147483647", padding: "1rem",
      maxHeight: "60vh", overflow: "auto", font: "14px/1.4 system-ui, sans-serif",
      color: "#fff", background: role === "alert" ? "#7a1020" : "#1d3a5f", border: "2px solid #fff",
    });
    const title = document.createElement("strong");
    title.textContent = heading;
    box.append(title);
    if (detail) {
      const text = document.createElement("pre");
      text.textContent = detail;
      text.tabIndex = 0; // it may need scrolling by key
      text.style.whiteSpace = "pre-wrap";
      box.append(text);
    }
    box.append(" ");
    for (const [name, run] of [...(action ? [action] : []), ["Close", close]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = name;
      button.style.marginInlineEnd = "0.5rem";
      button.addEventListener("click", run);
      box.append(button);
    }
    document.body.append(box);
  }

  const events = new EventSource("/_dev/events");
  events.addEventListener("message", (event) => {
    const { build, failure } = JSON.parse(event.data);
    first ??= build;
    if (failure) show("alert", "The build failed", failure);
    else if (build !== first) show("status", "A new build is ready.", "", ["Reload", () => location.reload()]);
    else close();
  });
})();
