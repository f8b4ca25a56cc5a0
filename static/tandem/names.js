// A text field that offers the store's players while one types. Without this file it is a plain text field.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
    for (const field of document.querySelectorAll("input[data-names]")) {
        const list = document.createElement("datalist");
        list.id = field.getAttribute("list");
        field.after(list);
        let waiting = 0;
        field.addEventListener("input", () => {
            clearTimeout(waiting);
            waiting = setTimeout(() => offer(field, list), 120);
        });
    }
});

async function offer(field, list) {
    const asked = field.value;
    if (asked.trim().length < 2) {
        return;
    }
    const answer = await fetch(field.dataset.names + "?q=" + encodeURIComponent(asked), {credentials: "same-origin"});
    if (!answer.ok || field.value !== asked) {
        return;
    }
    const {names} = await answer.json();
    list.replaceChildren(...names.map((name) => Object.assign(document.createElement("option"), {value: name})));
}
